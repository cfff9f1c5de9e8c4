import { joinWaiting, listWaits } from "@/domain/board-leases";
import {
  leaseWaitQuerySchema,
  leaseWaitSchema,
  newLeaseWaitSchema,
  pageOf,
} from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { askerOf, leaseLimits } from "../asker";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "leases.waiting.list",
  needs: "read",
  summary:
    "Who waits for boards, the first that asked first, with the time at which the board may come to them; of other projects only the places.",
  query: leaseWaitQuerySchema,
  response: pageOf(leaseWaitSchema),
  handle: async ({ caller, query }) => ({
    items: await listWaits(askerOf(caller), query),
    nextCursor: null,
  }),
});

export const POST = defineHandler({
  name: "leases.waiting.join",
  needs: "deploy",
  summary:
    "Asks for a board, or any of a model, as soon as it is free: the lease begins by itself then.",
  body: newLeaseWaitSchema,
  response: leaseWaitSchema,
  status: 201,
  handle: ({ caller, body }) => joinWaiting(askerOf(caller), body, leaseLimits()),
});
