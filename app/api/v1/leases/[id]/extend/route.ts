import { extendLease } from "@/domain/board-leases";
import { leaseExtensionSchema, leaseSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";
import { askerOf, leaseLimits } from "../../asker";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "leases.extend",
  needs: "deploy",
  summary: "Makes a lease longer, as long as nobody waits for the board or has booked it.",
  params: idParams,
  body: leaseExtensionSchema,
  response: leaseSchema,
  handle: ({ caller, params, body }) =>
    extendLease(askerOf(caller), params.id, body.minutes, leaseLimits()),
});
