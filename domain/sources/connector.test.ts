import { Socket } from "node:net";
import type { buildConnector } from "undici";
import { describe, expect, it } from "vitest";
import { checkedConnector } from "./connector";
import { parseSourceUrl } from "./source-policy";

interface Dialled {
  readonly hostname: string;
  readonly servername?: string | undefined;
}

/**
 * Connects to a source whose name leads to one address at each look-up, on a machine that connects to `remote` whatever is
 * dialled, as one does that translates addresses.
 */
async function connect(
  url: string,
  { lookUps, remote }: { readonly lookUps: readonly string[]; readonly remote: string | undefined },
  allowedHosts: readonly string[] = [],
) {
  const source = parseSourceUrl(url, { allowedHosts });
  const dialled: Dialled[] = [];
  const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: remote });
  const asked: string[] = [];
  const connector = checkedConnector({
    source,
    timeoutMs: 1000,
    resolve: async (host) => [lookUps[asked.push(host) - 1] ?? "none is left"],
    connect: ({ hostname, servername }, callback) => {
      dialled.push({ hostname, servername: servername ?? undefined });
      callback(null, socket);
    },
  });
  const { hostname, protocol, port, host } = source.url;
  const target: buildConnector.Options = { hostname, protocol, port, host };
  const [error, connected] = await new Promise<readonly [Error | null, Socket | null]>((resolve) =>
    connector(target, (...[problem, found]) => resolve([problem, found])),
  );
  return { error, connected, socket, dialled, lookUps: asked.length };
}

const notAllowed = expect.objectContaining({ reason: "SOURCE_NOT_ALLOWED" });
const url = "https://models.example.org/m.onnx";

describe("a connection to a source", () => {
  it("goes to the address that was judged: the name is looked up once", async () => {
    const lookUps = ["8.8.8.8", "127.0.0.1"];
    const told = await connect(url, { lookUps, remote: "8.8.8.8" });
    expect(told).toMatchObject({ error: null, lookUps: 1 });
    expect(told.dialled).toEqual([{ hostname: "8.8.8.8", servername: "models.example.org" }]);
    expect(told.connected).toBe(told.socket);
    expect(told.socket.destroyed).toBe(false);
  });

  it.each(["127.0.0.1", "::1", "10.0.0.1", "169.254.169.254", "::ffff:127.0.0.1", undefined])(
    "that came out at %s is closed before anything is sent",
    async (remote) => {
      const told = await connect(url, { lookUps: ["8.8.8.8"], remote });
      expect(told).toMatchObject({ error: notAllowed, connected: null });
      expect(told.dialled).toHaveLength(1);
      expect(told.socket.destroyed).toBe(true);
    },
  );

  it("may come out there where an administrator listed the host", async () => {
    const how = { lookUps: ["10.0.0.1"], remote: "10.0.0.1" };
    const told = await connect("https://forge.lab:8443/m", how, ["forge.lab:8443"]);
    expect(told.error).toBeNull();
    expect(told.connected).toBe(told.socket);
  });

  it("is not made to an address that is not public", async () => {
    const told = await connect(url, { lookUps: ["127.0.0.1"], remote: "8.8.8.8" });
    expect(told).toMatchObject({ error: notAllowed, connected: null, dialled: [] });
  });
});
