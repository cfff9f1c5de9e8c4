import { listEndpoints, prepareDeploy } from "@/domain/endpoints";
import {
  deployedSchema,
  endpointSchema,
  newEndpointSchema,
  pageOf,
  pageQuerySchema,
} from "@/lib/common/contract";
import { portalEnv } from "@/lib/server/env";
import { defineHandler } from "@/lib/server/handler";
import { fault } from "@/lib/server/process";
import { withGatewayUrl } from "../_shared/gateway";
import { once } from "../_shared/once";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "endpoints.list",
  summary: "Endpoints by name.",
  query: pageQuerySchema,
  response: pageOf(endpointSchema),
  handle: async ({ scope, query }) => {
    const { items, nextCursor } = await listEndpoints(scope, query);
    return { items: items.map(withGatewayUrl), nextCursor };
  },
});

export const POST = defineHandler({
  name: "endpoints.create",
  summary: "Deploy: builds a model for a board and answers from it under a name.",
  body: newEndpointSchema,
  response: deployedSchema,
  status: 202,
  idempotent: true,
  handle: async ({ scope, body, idempotencyKey }) => {
    const allowedHosts = portalEnv().SOURCE_ALLOWED_HOSTS;
    const deployed = await once({ scope, idempotencyKey, body }, 202, () =>
      prepareDeploy(scope, body, { allowedHosts }),
    );
    fault("portal.after-commit");
    return withGatewayUrl(deployed);
  },
});
