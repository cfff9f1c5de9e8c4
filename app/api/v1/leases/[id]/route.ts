import { getLease } from "@/domain/board-leases";
import { leaseSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../_shared/params";
import { askerOf } from "../asker";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "leases.read",
  needs: "read",
  summary: "A lease of the project, also one that has ended, with what its holder has loaded.",
  params: idParams,
  response: leaseSchema,
  handle: ({ caller, params }) => getLease(askerOf(caller), params.id),
});
