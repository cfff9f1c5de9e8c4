import { z } from "zod";
import { listBuilds } from "@/domain/builds";
import { buildSchema, buildStateSchema, pageOf, pageQuerySchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "builds.list",
  summary: "Builds, newest first.",
  query: z.strictObject({
    ...pageQuerySchema.shape,
    state: buildStateSchema.optional(),
    engine: z.string().max(63).optional(),
  }),
  response: pageOf(buildSchema),
  handle: ({ scope, query }) => listBuilds(scope, query),
});
