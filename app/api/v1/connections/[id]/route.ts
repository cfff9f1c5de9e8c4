import {
  changeConnection,
  draftChange,
  getConnection,
  removeConnection,
} from "@/domain/connections";
import { projectConnectionChangeSchema, projectConnectionSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { connectionRules } from "../../_shared/connection-rules";
import { idParams } from "../../_shared/params";
import { requirePassing } from "../../_shared/test-connection";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "connections.get",
  needs: "build",
  summary: "A connection of the project, without its secret.",
  params: idParams,
  response: projectConnectionSchema,
  handle: ({ scope, params: { id } }) => getConnection(scope, id),
});

export const PATCH = defineHandler({
  name: "connections.change",
  needs: "members",
  summary:
    "Changes a connection, or replaces its secret; what is left out stays. Another host needs the secret again. What opens otherwise than before is tested first, as for a new one.",
  params: idParams,
  body: projectConnectionChangeSchema,
  response: projectConnectionSchema,
  handle: async ({ scope, params: { id }, body, signal }) => {
    const change = await draftChange(scope, id, body, connectionRules());
    const isTested = change.isOther && !body.untested;
    const outcome = isTested ? await requirePassing(scope, change.draft, signal) : null;
    return await changeConnection(scope, change, outcome);
  },
});

export const DELETE = defineHandler({
  name: "connections.remove",
  needs: "members",
  summary:
    "Deletes a connection with its secret. Endpoints serve on; new builds cannot fetch through it any more.",
  params: idParams,
  handle: async ({ scope, params: { id } }) => {
    await removeConnection(scope, id);
    return undefined;
  },
});
