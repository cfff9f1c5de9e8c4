import { z } from "zod";
import { getLogOutline } from "@/domain/builds";
import { attemptOutlineSchema, attemptQuerySchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "builds.logOutline",
  needs: "read",
  summary:
    "What the log of an attempt holds, without its lines: its stages with their counts, and each problem once with its first line.",
  params: idParams,
  query: z.strictObject({ attempt: attemptQuerySchema }),
  response: attemptOutlineSchema,
  handle: ({ scope, params: { id }, query: { attempt } }) => getLogOutline(scope, id, attempt),
});
