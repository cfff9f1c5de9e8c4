import { Readable } from "node:stream";
import { openFileForServer } from "@/domain/board-servers";
import { boardServerHeaders } from "@/lib/server/board-protocol";
import { answer, requireServer } from "../../../../answer";

interface Context {
  readonly params: Promise<{ readonly digest: string; readonly fileDigest: string }>;
}

/** The bytes of one file of an artifact that a slot of the asking server is told to load. */
export function GET(request: Request, { params }: Context): Promise<Response> {
  return answer("board-server.file", request, async () => {
    const { serverId, nonce } = await requireServer(request, new Uint8Array(0));
    const { digest, fileDigest } = await params;
    const [artifact, file] = [decodeURIComponent(digest), decodeURIComponent(fileDigest)];
    const { stream, sizeBytes } = await openFileForServer(serverId, artifact, file);
    return new Response(Readable.toWeb(stream) as ReadableStream, {
      headers: {
        "content-type": "application/octet-stream",
        "content-length": String(sizeBytes),
        [boardServerHeaders.nonce]: nonce,
      },
    });
  });
}
