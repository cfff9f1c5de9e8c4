import { connectionParamsSchema, connectionTestSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { testConnection } from "../../../../_shared/connections";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "settings.test",
  summary:
    "Asks a connection for something real: what was asked, what came back and how long it took.",
  params: connectionParamsSchema,
  response: connectionTestSchema,
  handle: ({ params }) => testConnection(params.id),
});
