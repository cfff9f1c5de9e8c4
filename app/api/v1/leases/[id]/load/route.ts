import { loadOnLease } from "@/domain/board-leases";
import { leaseLoadSchema, leaseSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";
import { askerOf } from "../../asker";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "leases.load",
  needs: "deploy",
  summary:
    "Loads an artifact of the project on a leased board, in place of what is there; it is checked and tested as for an endpoint.",
  params: idParams,
  body: leaseLoadSchema,
  response: leaseSchema,
  status: 202,
  handle: ({ caller, params, body }) =>
    loadOnLease(askerOf(caller), params.id, body.artifactDigest),
});
