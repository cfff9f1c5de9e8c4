import { listLeases, listPassedOn, takeLease } from "@/domain/board-leases";
import {
  leaseListSchema,
  leaseQuerySchema,
  leaseSchema,
  newLeaseSchema,
} from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { askerOf, leaseLimits } from "./asker";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "leases.list",
  needs: "read",
  summary:
    "Leases and bookings of boards in the order of their beginnings, those that have not ended if nothing else is asked; of other projects only the times.",
  query: leaseQuerySchema,
  response: leaseListSchema,
  handle: async ({ caller, query }) => ({
    items: await listLeases(askerOf(caller), query),
    nextCursor: null,
    limits: leaseLimits(),
    passedOn: await listPassedOn(askerOf(caller)),
  }),
});

export const POST = defineHandler({
  name: "leases.create",
  needs: "deploy",
  summary:
    "Leases a free board for a time, or books one for later: one board by its id, or any of a model. What has it is said where it is taken.",
  body: newLeaseSchema,
  response: leaseSchema,
  status: 201,
  handle: ({ caller, body }) => takeLease(askerOf(caller), body, leaseLimits()),
});
