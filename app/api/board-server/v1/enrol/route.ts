import { enrol } from "@/domain/board-servers";
import { fail } from "@/lib/common/errors";
import { enrolRequestSchema } from "@/lib/server/board-protocol";
import { readBody } from "@/lib/server/http";
import { answer, limitBytes, parseJson } from "../answer";
import { listControlKeys } from "../control-key";

/** Makes a board server known, by a single-use code. */
export function POST(request: Request): Promise<Response> {
  return answer("board-server.enrol", request, async () => {
    const parsed = enrolRequestSchema.safeParse(
      parseJson(await readBody(request.body, { limitBytes })),
    );
    if (!parsed.success) throw fail("VALIDATION", "This is no enrolment of a board server.");
    const controlKeys = await listControlKeys();
    return Response.json({ ...(await enrol(parsed.data)), controlKeys });
  });
}
