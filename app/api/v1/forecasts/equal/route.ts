import { getEqualBuilds } from "@/domain/forecasts";
import { equalBuildsSchema, equalQuerySchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "forecasts.equal",
  needs: "read",
  summary:
    "What the builds of the very same request took and reached here, and whether an artifact of it would be taken again. Changes nothing.",
  body: equalQuerySchema,
  response: equalBuildsSchema,
  audit: { changesNothing: true },
  handle: ({ scope, body }) => getEqualBuilds(scope, body),
});
