import { leaveWaiting } from "@/domain/board-leases";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";
import { askerOf } from "../../asker";

export const dynamic = "force-dynamic";

export const DELETE = defineHandler({
  name: "leases.waiting.leave",
  needs: "deploy",
  summary: "Leaves a waiting list.",
  params: idParams,
  handle: async ({ caller, params }) => {
    await leaveWaiting(askerOf(caller), params.id);
    return undefined;
  },
});
