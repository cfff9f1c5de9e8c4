import { getSearch, stopSearch } from "@/domain/models";
import { searchSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "searches.get",
  needs: "read",
  summary: "How far a search for the fewest bits is: each try as soon as it is made.",
  params: idParams,
  response: searchSchema,
  handle: ({ scope, params }) => getSearch(scope, params.id),
});

export const DELETE = defineHandler({
  name: "searches.stop",
  needs: "build",
  summary: "Stops a search. What it had found stays.",
  params: idParams,
  response: searchSchema,
  audit: { changesNothing: true },
  handle: async ({ scope, params }) => {
    await stopSearch(scope, params.id);
    return await getSearch(scope, params.id);
  },
});
