import { getBuild, retryBuild } from "@/domain/builds";
import { buildSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { once } from "../../../_shared/once";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "builds.retry",
  needs: "build",
  counts: "submit",
  summary: "Repeats a build that ended without success, as a new build.",
  params: idParams,
  response: buildSchema,
  status: 202,
  idempotent: true,
  handle: async ({ caller, scope, params, idempotencyKey }) => {
    const { id } = await once(
      { scope, idempotencyKey, body: { retry: params.id } },
      202,
      async () => async (given) => ({
        id: await retryBuild(scope, params.id, { given, askedById: caller.personId }),
      }),
    );
    return await getBuild(scope, id);
  },
});
