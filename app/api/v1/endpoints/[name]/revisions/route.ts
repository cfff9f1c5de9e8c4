import { listRevisions, prepareRevision } from "@/domain/endpoints";
import { deployedSchema, newRevisionSchema, pageOf, revisionSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { fault } from "@/lib/server/process";
import { withGatewayUrl } from "../../../_shared/gateway";
import { modelSources } from "../../../_shared/model-sources";
import { once } from "../../../_shared/once";
import { nameParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "revisions.list",
  needs: "read",
  summary: "Revisions of an endpoint, newest first.",
  params: nameParams,
  response: pageOf(revisionSchema),
  handle: async ({ scope, params }) => ({
    items: await listRevisions(scope, params.name),
    nextCursor: null,
  }),
});

export const POST = defineHandler({
  name: "revisions.create",
  needs: "deploy",
  counts: "submit",
  summary: "Builds a further revision; the endpoint switches to it once it serves.",
  params: nameParams,
  body: newRevisionSchema,
  response: deployedSchema,
  status: 202,
  idempotent: true,
  handle: async ({ caller, scope, params, body, idempotencyKey }) => {
    const asked = { scope, idempotencyKey, body: { revisionOf: params.name, ...body } };
    const deployed = await once(asked, 202, async () =>
      prepareRevision(scope, params.name, body, {
        sources: await modelSources(scope),
        personId: caller.personId,
      }),
    );
    fault("portal.after-commit");
    return withGatewayUrl(deployed);
  },
});
