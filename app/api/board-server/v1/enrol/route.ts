import { enrol } from "@/domain/board-servers";
import { fail } from "@/lib/common/errors";
import { enrolRequestSchema } from "@/lib/server/board-protocol";
import { answer, parseJson, readBytes } from "../answer";

/** Makes a board server known, by a single-use code. */
export function POST(request: Request): Promise<Response> {
  return answer("board-server.enrol", request, async () => {
    const parsed = enrolRequestSchema.safeParse(parseJson(await readBytes(request)));
    if (!parsed.success) throw fail("VALIDATION", "This is no enrolment of a board server.");
    return Response.json(await enrol(parsed.data));
  });
}
