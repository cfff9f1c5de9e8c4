import { searchLog } from "@/domain/builds";
import { logSearchQuerySchema, logSearchSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "builds.logSearch",
  needs: "read",
  summary:
    "Where a text or a regular expression (`syntax=regex`) stands in the whole log of an attempt, without colours: all lines are counted.",
  params: idParams,
  query: logSearchQuerySchema,
  response: logSearchSchema,
  handle: ({ scope, params: { id }, query: { attempt, text, case: letters, syntax }, signal }) =>
    searchLog(scope, id, {
      text,
      isExact: letters === "exact",
      isPattern: syntax === "regex",
      signal,
      ...(attempt === undefined ? {} : { attempt }),
    }),
});
