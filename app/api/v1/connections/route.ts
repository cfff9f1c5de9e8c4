import { addConnection, draftConnection, listConnections } from "@/domain/connections";
import { sharedPrefixes } from "@/domain/sources";
import {
  newProjectConnectionSchema,
  projectConnectionSchema,
  projectConnectionsSchema,
} from "@/lib/common/contract";
import { portalEnv } from "@/lib/server/env";
import { defineHandler } from "@/lib/server/handler";
import { connectionRules } from "../_shared/connection-rules";
import { requirePassing } from "../_shared/test-connection";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "connections.list",
  needs: "read",
  summary:
    "Stores and hosts that models of the project come from, without their secrets, and those of the installation. Who may not build sees names alone.",
  response: projectConnectionsSchema,
  handle: async ({ scope, caller }) => {
    const items = await listConnections(scope);
    if (!caller.rights.has("build"))
      return { items: items.map(({ id, name }) => ({ id, name })), shared: [] };
    return { items, shared: sharedPrefixes(portalEnv().SOURCE_CONNECTIONS) };
  },
});

export const POST = defineHandler({
  name: "connections.create",
  needs: "members",
  summary:
    "Connects a store or a host. It is tested first, and kept when it passes, or untested with `untested`. The secret is kept sealed and shown to nobody.",
  body: newProjectConnectionSchema,
  response: projectConnectionSchema,
  status: 201,
  handle: async ({ scope, body, signal }) => {
    const draft = await draftConnection(scope, body, connectionRules());
    const outcome = body.untested ? null : await requirePassing(scope, draft, signal);
    return await addConnection(scope, draft, outcome);
  },
});
