import { getLogDifference } from "@/domain/builds";
import { logDifferenceQuerySchema, logDifferenceSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "builds.logDifference",
  needs: "read",
  summary:
    "The first line of the log that differs from that of another build, but for times, memory, temporary folders and ids.",
  params: idParams,
  query: logDifferenceQuerySchema,
  response: logDifferenceSchema,
  handle: ({ scope, params: { id }, query }) => getLogDifference(scope, id, query.with),
});
