import { connectionIdSchema, connectionTestSchema } from "@/lib/common/contract";
import { notFound } from "@/lib/common/errors";
import { defineHandler } from "@/lib/server/handler";
import { testConnection } from "../../../../_shared/connections";
import { idParams } from "../../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "settings.test",
  needs: "members",
  summary:
    "Asks a connection for something real: what was asked, what came back and how long it took.",
  params: idParams,
  response: connectionTestSchema,
  audit: { changesNothing: true },
  handle: ({ params }) => {
    const id = connectionIdSchema.safeParse(params.id);
    if (!id.success) throw notFound("connection", params.id);
    return testConnection(id.data);
  },
});
