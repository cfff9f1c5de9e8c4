import { listTakenNames } from "@/domain/endpoints";
import { takenNamesQuerySchema, takenNamesSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "names.endpoints",
  needs: "read",
  summary:
    "Names of endpoints that begin with a text, the shortest first: the text itself, if it is taken.",
  query: takenNamesQuerySchema,
  response: takenNamesSchema,
  handle: async ({ scope, query }) => ({ names: await listTakenNames(scope, query.start) }),
});
