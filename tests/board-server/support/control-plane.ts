import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { GET as getFile } from "@/app/api/board-server/v1/artifacts/[digest]/files/[fileDigest]/route";
import { POST as enrol } from "@/app/api/board-server/v1/enrol/route";
import { POST as poll } from "@/app/api/board-server/v1/poll/route";
import { stripInternalHeaders } from "@/lib/server/http";

export interface ControlPlane {
  readonly url: string;
  /** Every request seen, to be sent again by a thief. */
  readonly seen: { readonly url: string; readonly init: RequestInit }[];
  close(): Promise<void>;
}

/** The real route handlers of the board protocol behind a plain server, as the portal's front calls them. */
export async function startControlPlane(): Promise<ControlPlane> {
  const seen: ControlPlane["seen"] = [];
  const server = createServer(async (incoming, outgoing) => {
    stripInternalHeaders(incoming);
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    const body = await readAll(incoming);
    const { url = "", method = "GET" } = incoming;
    const init: RequestInit = {
      method,
      headers: Object.fromEntries(
        Object.entries(incoming.headers).filter(([name]) => name.startsWith("board-server")),
      ) as Record<string, string>,
      ...(method === "GET" ? {} : { body: new Uint8Array(body) }),
    };
    seen.push({ url, init });
    const request = new Request(`http://portal.test${url}`, { ...init, signal: gone.signal });
    const response = await answer(url, request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body) Readable.fromWeb(response.body as never).pipe(outgoing);
    else outgoing.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(url: string, request: Request): Promise<Response> {
  const file = /\/artifacts\/([^/]+)\/files\/([^/]+)$/.exec(url);
  if (url.endsWith("/enrol")) return await enrol(request);
  if (url.endsWith("/poll")) return await poll(request);
  if (!file) return new Response(null, { status: 404 });
  const [, digest = "", fileDigest = ""] = file;
  return await getFile(request, { params: Promise.resolve({ digest, fileDigest }) });
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
