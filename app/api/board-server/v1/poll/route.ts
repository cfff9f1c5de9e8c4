import { poll } from "@/domain/board-servers";
import { fail } from "@/lib/common/errors";
import { boardServerHeaders, pollRequestSchema } from "@/lib/server/board-protocol";
import { readBody } from "@/lib/server/http";
import { answer, limitBytes, parseJson, requireServer } from "../answer";

/** Takes a board server's report and holds the answer until there is a command, or the time it gave is over. */
export function POST(request: Request): Promise<Response> {
  return answer("board-server.poll", request, async () => {
    const body = await readBody(request.body, { limitBytes });
    const { serverId, nonce } = await requireServer(request, body);
    const parsed = pollRequestSchema.safeParse(parseJson(body));
    if (!parsed.success) throw fail("VALIDATION", "This is no report of a board server.");
    const { commands, adopted, signingKeys } = await poll(serverId, parsed.data, request.signal);
    return Response.json(
      { nonce, commands, adopted, signingKeys },
      { headers: { [boardServerHeaders.nonce]: nonce } },
    );
  });
}
