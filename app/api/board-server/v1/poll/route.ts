import { poll } from "@/domain/board-servers";
import { idPrefixes } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { boardServerHeaders, pollRequestSchema } from "@/lib/server/board-protocol";
import { toId } from "@/lib/server/db";
import { readBody } from "@/lib/server/http";
import { answer, limitBytes, parseJson, requireServer } from "../answer";
import {
  listControlKeys,
  signAdoptions,
  signAttachments,
  signCommands,
  signGateways,
} from "../control-key";

/** What a server calls itself, if that is a version; it is shown to people. */
function versionOf({ headers }: Request): string | null {
  const version = headers.get(boardServerHeaders.version);
  return version !== null && /^[\w.+-]{1,40}$/.test(version) ? version : null;
}

/** Takes a board server's report and holds the answer until there is a command, or the time it gave is over. */
export function POST(request: Request): Promise<Response> {
  return answer("board-server.poll", request, async () => {
    const body = await readBody(request.body, { limitBytes });
    const { serverId, nonce } = await requireServer(request, body);
    const parsed = pollRequestSchema.safeParse(parseJson(body));
    if (!parsed.success) throw fail("VALIDATION", "This is no report of a board server.");
    const { commands, adopted, attached, gateways, signingKeys } = await poll(
      serverId,
      parsed.data,
      request.signal,
      versionOf(request),
    );
    const server = toId(idPrefixes.boardServer, serverId);
    const asked = request.headers.get(boardServerHeaders.nonce) ?? "";
    return Response.json(
      {
        nonce,
        commands: await signCommands(server, commands),
        adopted: await signAdoptions({ serverId: server, nonce: asked }, adopted),
        // A board server of before knows nothing of them.
        ...(attached.length > 0 || parsed.data.attached
          ? { attached: await signAttachments({ serverId: server, nonce: asked }, attached) }
          : {}),
        ...(gateways
          ? { gateways: await signGateways({ serverId: server, nonce: asked }, gateways) }
          : {}),
        signingKeys,
        controlKeys: await listControlKeys(),
      },
      { headers: { [boardServerHeaders.nonce]: nonce } },
    );
  });
}
