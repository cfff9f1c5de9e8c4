import { connectionsSchema } from "@/lib/common/contract";
import { portalEnv } from "@/lib/server/env";
import { defineHandler } from "@/lib/server/handler";
import { listConnections } from "../../_shared/connections";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "settings.connections",
  needs: "members",
  summary:
    "Stores and processes that the portal reaches, without secrets, and from where models may be fetched.",
  response: connectionsSchema,
  handle: async ({ scope }) => ({
    items: listConnections(scope),
    sources: {
      schemes: ["https", "s3"],
      allowedHosts: portalEnv().SOURCE_ALLOWED_HOSTS,
      connections: portalEnv().SOURCE_CONNECTIONS,
    },
  }),
});
