import { getConnection, getStoredConnection, noteOutcome } from "@/domain/connections";
import { projectConnectionSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";
import { tryConnection } from "../../../_shared/test-connection";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "connections.test",
  needs: "members",
  summary: "Tries a connection: its last test tells what came of it.",
  params: idParams,
  response: projectConnectionSchema,
  handle: async ({ scope, params: { id }, signal }) => {
    const connection = await getStoredConnection(scope, id);
    await noteOutcome(scope, connection, await tryConnection(scope, connection, signal));
    return await getConnection(scope, id);
  },
});
