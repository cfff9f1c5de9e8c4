import { releaseLease } from "@/domain/board-leases";
import { leaseSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";
import { askerOf } from "../../asker";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "leases.release",
  needs: "deploy",
  summary:
    "Hands a board back, or cancels a booking: what was loaded is unloaded, and who waits comes next.",
  params: idParams,
  response: leaseSchema,
  handle: ({ caller, params }) => releaseLease(askerOf(caller), params.id),
});
