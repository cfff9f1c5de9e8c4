import { z } from "zod";
import { getRequest } from "@/domain/traffic";
import { keptRequestSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams, nameParams } from "../../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "requests.get",
  needs: "read",
  summary: "One of the last requests, with its body where the endpoint's owner has bodies kept.",
  params: z.object({ ...nameParams.shape, ...idParams.shape }),
  response: keptRequestSchema,
  handle: ({ scope, caller: { personId }, params }) =>
    getRequest({ scope, personId }, params.name, params.id),
});
