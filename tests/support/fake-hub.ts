import { listenTls, type TlsServer } from "./listen-tls";

/** A fake of a hub that speaks as Hugging Face's; large files lie on another host. */
export interface FakeHub extends TlsServer {
  /** Where its files lie. */
  readonly files: TlsServer;
}

/** Starts it, with files by `owner/name/revision/path`. @param token Null: it asks for none. */
export async function startFakeHub(
  token: string | null,
  contents: Readonly<Record<string, Buffer>>,
): Promise<FakeHub> {
  const files = await listenTls(({ url = "" }, response) => {
    const bytes = contents[decodeURIComponent(url.slice(1))];
    if (bytes) response.end(bytes);
    else response.writeHead(404).end();
  });
  const hub = await listenTls(({ url = "", headers }, response) => {
    const isKnown = token === null || headers.authorization === `Bearer ${token}`;
    if (!isKnown) return response.writeHead(401).end();
    if (url === "/api/whoami-v2") return response.end(JSON.stringify({ name: "boardwalk-lab" }));
    if (url.startsWith("/api/models?")) return response.end("[]");
    const [, owner, name, revision = "", path] =
      /^\/([^/]+)\/([^/]+)\/resolve\/([^/]+)\/(.+)$/.exec(url) ?? [];
    const key = `${owner}/${name}/${decodeURIComponent(revision)}/${path}`;
    if (!contents[key]) return response.writeHead(404).end();
    const location = `https://${files.host}/${encodeURIComponent(key)}`;
    return response.writeHead(302, { location }).end();
  });
  return {
    ...hub,
    files,
    close: async () => {
      await hub.close();
      await files.close();
    },
  };
}
