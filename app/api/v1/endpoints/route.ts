import { exportEndpoints, listEndpoints, prepareDeploy } from "@/domain/endpoints";
import {
  deployedSchema,
  type ExportedEndpoint,
  endpointListQuerySchema,
  endpointSchema,
  exportedEndpointSchema,
  newEndpointSchema,
  pageOf,
} from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { fault } from "@/lib/server/process";
import { exportFile, exportFormat } from "../_shared/export";
import { withGatewayUrl } from "../_shared/gateway";
import { modelSources } from "../_shared/model-sources";
import { once } from "../_shared/once";
import { preferredWaitMs } from "../_shared/preferred-wait";
import { usualAccess } from "../_shared/usual-access";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "endpoints.list",
  needs: "read",
  summary:
    "Endpoints that match, by name or as `sort` says, page by page; with `format`, or `Accept: text/csv`, all of them as one file.",
  query: endpointListQuerySchema,
  response: pageOf(endpointSchema),
  rawResponse: "text/csv",
  handle: async ({ scope, query: { format: asked, ...query }, request }) => {
    const format = exportFormat(asked, request);
    if (format === null) {
      const { items, ...cursors } = await listEndpoints(scope, query);
      return { items: items.map(withGatewayUrl), ...cursors };
    }
    return exportFile({
      name: "endpoints",
      format,
      columns: Object.keys(exportedEndpointSchema.shape),
      rows: withGatewayUrls(exportEndpoints(scope, query)),
    });
  },
});

async function* withGatewayUrls(
  steps: AsyncGenerator<readonly ExportedEndpoint[]>,
): AsyncGenerator<readonly ExportedEndpoint[]> {
  for await (const step of steps) yield step.map(withGatewayUrl);
}

/** A deploy waits no longer for its model to be read. */
const readingMs = 10_000;

export const POST = defineHandler({
  name: "endpoints.create",
  needs: "deploy",
  counts: "submit",
  summary:
    "Deploy: builds a model for a board and answers from it under a name. A model that cannot be read or that is too large for the board is refused with 422 before anything is made, if that is known within 10 s; `Prefer: wait=N` waits N s, `wait=0` not at all.",
  body: newEndpointSchema,
  response: deployedSchema,
  status: 202,
  idempotent: true,
  handle: async ({ caller, scope, body, idempotencyKey, request, signal }) => {
    const reading = { timeoutMs: preferredWaitMs(request, readingMs), signal };
    const wanted = { access: usualAccess(), ...body };
    const deployed = await once({ scope, idempotencyKey, body }, 202, async () =>
      prepareDeploy(scope, wanted, {
        sources: await modelSources(scope),
        reading,
        personId: caller.personId,
      }),
    );
    fault("portal.after-commit");
    return withGatewayUrl(deployed);
  },
});
