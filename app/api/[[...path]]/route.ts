import { fail } from "@/lib/common/errors";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

/** Whatever no other route takes is answered in the API's own form. */
const unknown = defineHandler({
  needs: "read",
  name: "unknown",
  summary: "No such route.",
  handle: async ({ request }) => {
    const path = new URL(request.url).pathname.slice(0, 200);
    throw fail("NOT_FOUND", `There is no route ${request.method} ${path}.`, {
      hint: "GET /api/v1/openapi.json lists them all.",
    });
  },
});

export { unknown as DELETE, unknown as GET, unknown as PATCH, unknown as POST, unknown as PUT };
