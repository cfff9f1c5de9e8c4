import { unloadOnLease } from "@/domain/board-leases";
import { leaseSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";
import { askerOf } from "../../asker";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "leases.unload",
  needs: "deploy",
  summary: "Unloads what the holder of a leased board had loaded; again is no error.",
  params: idParams,
  response: leaseSchema,
  status: 202,
  handle: ({ caller, params }) => unloadOnLease(askerOf(caller), params.id),
});
