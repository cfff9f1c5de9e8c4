import { getAvailability } from "@/domain/boards";
import { availabilityQuerySchema, boardAvailabilitySchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "boards.availability",
  needs: "read",
  summary:
    "In which states a board was over 24 hours or 30 days, and how its loads and tests went.",
  params: idParams,
  query: availabilityQuerySchema,
  response: boardAvailabilitySchema,
  handle: ({ params, query }) => getAvailability(params.id, query.range),
});
