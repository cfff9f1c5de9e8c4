import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { OriginGuard, OwnerGuard } from "@/lib/server/http";
import { createFront } from "@/portal/front";
import { createGatewayPipe } from "@/portal/gateway-pipe";
import { exchange } from "@/tests/support/raw";
import { startServers } from "@/tests/support/servers";

// Requests that two servers in a row could read differently: the front and the gateway answer each alike and once, and the
// request that follows on the connection gets its own answer. A hidden request is never done.

let servers: Awaited<ReturnType<typeof startServers>>;
const unloaded: string[] = [];

beforeAll(async () => {
  servers = await startServers({
    control: {
      async setPaused(name) {
        unloaded.push(name);
        return true;
      },
    },
  });
});
afterAll(() => servers.close());
beforeEach(() => {
  unloaded.length = 0;
  servers.seen.length = 0;
});

const hidden =
  "POST /v2/repository/models/mlp/unload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const hiddenChunks = `${chunk(hidden)}0\r\n\r\n`;
const last = "GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
/** A request to a path of the gateway's, which the front passes on. */
const head = (method: string, lines: readonly string[], target = "/v2/health/live") =>
  `${[`${method} ${target} HTTP/1.1`, "Host: localhost", ...lines].join("\r\n")}\r\n\r\n`;
const length = `Content-Length: ${hidden.length}`;
const chunked = "Transfer-Encoding: chunked";

interface Row {
  readonly why: string;
  readonly bytes: string;
  /** Of the first answer; 400 to 499 ends the connection where `goesOn` does not say otherwise. */
  readonly status: number;
  /** The next request on the connection is answered as well; or it may be, as a body came before its refusal. */
  readonly goesOn?: boolean | "perhaps";
}

const rows: readonly Row[] = [
  // What can be framed is framed.
  {
    why: "a GET with a chunked body",
    bytes: head("GET", [chunked]) + hiddenChunks,
    status: 200,
    goesOn: true,
  },
  {
    why: "a GET with a body of a length",
    bytes: head("GET", [length]) + hidden,
    status: 200,
    goesOn: true,
  },
  {
    why: "a HEAD with a chunked body",
    bytes: head("HEAD", [chunked]) + hiddenChunks,
    status: 200,
    goesOn: true,
  },
  {
    why: "a chunked DELETE",
    bytes: head("DELETE", [chunked]) + hiddenChunks,
    status: 405,
    goesOn: "perhaps",
  },
  {
    why: "a chunked OPTIONS",
    bytes: head("OPTIONS", [chunked]) + hiddenChunks,
    status: 405,
    goesOn: "perhaps",
  },
  {
    why: "a GET whose length its Connection header takes away",
    bytes: head("GET", ["Connection: keep-alive, content-length", length]) + hidden,
    status: 200,
    goesOn: true,
  },
  {
    why: "a GET whose coding its Connection header takes away",
    bytes: head("GET", ["Connection: transfer-encoding", chunked]) + hiddenChunks,
    status: 200,
    goesOn: true,
  },
  {
    why: "chunks with extensions and a trailer",
    bytes: `${head("GET", [chunked])}${hidden.length.toString(16)};a=b\r\n${hidden}\r\n0\r\nX-Length: 5\r\n\r\n`,
    status: 200,
    goesOn: true,
  },
  {
    why: "a length in a trailer",
    bytes: `${head("POST", [chunked], "/v2/repository/index")}${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\nContent-Length: 5\r\n\r\n`,
    status: 400,
  },
  {
    why: "HTTP/2.0 in words",
    bytes: "GET /v2/health/live HTTP/2.0\r\nHost: localhost\r\n\r\n",
    status: 400,
  },
  {
    why: "a coding in capitals",
    bytes: head("GET", ["TRANSFER-ENCODING: CHUNKED"]) + hiddenChunks,
    status: 200,
    goesOn: true,
  },
  // The rest is refused, and the connection with it.
  {
    why: "a length and a coding",
    bytes: head("GET", [length, chunked]) + hiddenChunks,
    status: 400,
  },
  {
    why: "a coding and a length",
    bytes: head("POST", [chunked, "Content-Length: 4"]) + hiddenChunks,
    status: 400,
  },
  { why: "two lengths", bytes: head("POST", ["Content-Length: 0", length]) + hidden, status: 400 },
  {
    why: "two lengths in a list",
    bytes: head("POST", [`Content-Length: 0, ${hidden.length}`]) + hidden,
    status: 400,
  },
  {
    why: "a signed length",
    bytes: head("POST", [`Content-Length: +${hidden.length}`]) + hidden,
    status: 400,
  },
  { why: "a negative length", bytes: head("POST", ["Content-Length: -1"]) + hidden, status: 400 },
  {
    why: "a hexadecimal length",
    bytes: head("POST", ["Content-Length: 0x10"]) + hidden,
    status: 400,
  },
  {
    why: "a length of 30 digits",
    bytes: head("POST", [`Content-Length: ${"9".repeat(30)}`]) + hidden,
    status: 400,
  },
  { why: "an empty length", bytes: head("POST", ["Content-Length: "]) + hidden, status: 400 },
  {
    why: "a space before the colon",
    bytes: head("POST", [`Content-Length : ${hidden.length}`]) + hidden,
    status: 400,
  },
  {
    why: "two codings",
    bytes: head("GET", ["Transfer-Encoding: gzip, chunked"]) + hiddenChunks,
    status: 400,
  },
  {
    why: "chunked twice",
    bytes: head("GET", ["Transfer-Encoding: chunked, chunked"]) + hiddenChunks,
    status: 400,
  },
  {
    why: "two coding lines",
    bytes: head("GET", [chunked, "Transfer-Encoding: identity"]) + hiddenChunks,
    status: 400,
  },
  {
    why: "two coding lines, chunked last",
    bytes: head("GET", ["Transfer-Encoding: identity", chunked]) + hiddenChunks,
    status: 400,
  },
  {
    why: "an unknown coding",
    bytes: head("POST", ["Transfer-Encoding: xchunked"]) + hiddenChunks,
    status: 400,
  },
  {
    why: "a coding behind a vertical tab",
    bytes: head("POST", ["Transfer-Encoding: \x0bchunked"]) + hiddenChunks,
    status: 400,
  },
  {
    why: "a coding in HTTP/1.0",
    bytes: `GET /v2/health/live HTTP/1.0\r\nHost: localhost\r\n${chunked}\r\n\r\n${hiddenChunks}`,
    status: 400,
  },
  { why: "a folded header", bytes: head("GET", ["X-A: b", " Content-Length: 5"]), status: 400 },
  {
    why: "a folded coding",
    bytes: head("GET", ["Transfer-Encoding:", " chunked"]) + hiddenChunks,
    status: 400,
  },
  {
    why: "bare line feeds",
    bytes: head("GET", [chunked]).replaceAll("\r\n", "\n") + hiddenChunks,
    status: 400,
  },
  {
    why: "one bare line feed",
    bytes: head("POST", [`X: a\n${chunked}`]) + hiddenChunks,
    status: 400,
  },
  {
    why: "a bare carriage return",
    bytes: head("POST", [`X: a\r${chunked}`]) + hiddenChunks,
    status: 400,
  },
  { why: "a control character in a header", bytes: head("GET", ["X: a\x01b"]), status: 400 },
  { why: "a delete character in a header", bytes: head("GET", ["X: a\x7fb"]), status: 400 },
  { why: "a NUL in a header", bytes: head("GET", ["X: a\0b"]), status: 400 },
  {
    why: "a chunk size that is no number",
    bytes: `${head("POST", [chunked], "/v2/repository/index")}zz\r\n${hidden}`,
    status: 400,
  },
  {
    why: "a chunk size of 17 digits",
    bytes: `${head("POST", [chunked], "/v2/repository/index")}10000000000000000\r\n${hidden}`,
    status: 400,
  },
  {
    why: "a chunk longer than it says",
    bytes: `${head("POST", [chunked], "/v2/repository/index")}2\r\n${hidden}0\r\n\r\n`,
    status: 400,
  },
  {
    why: "the absolute form",
    bytes: head("GET", [], "http://localhost/v2/health/live"),
    status: 400,
  },
  {
    why: "the absolute form of another host",
    bytes: head("GET", [], "http://evil.test/v2/health/live"),
    status: 400,
  },
  { why: "the authority form", bytes: head("GET", [], "localhost:80"), status: 400 },
  { why: "two Hosts", bytes: head("GET", ["Host: evil.test"]), status: 400 },
  { why: "the same Host twice", bytes: head("GET", ["Host: localhost"]), status: 400 },
  { why: "no Host", bytes: "GET /v2/health/live HTTP/1.1\r\n\r\n", status: 400 },
  { why: "no Host in HTTP/1.0", bytes: "GET /v2/health/live HTTP/1.0\r\n\r\n", status: 421 },
  { why: "OPTIONS *", bytes: head("OPTIONS", [], "*"), status: 400 },
  { why: "TRACE /", bytes: head("TRACE", [], "/"), status: 405 },
  { why: "TRACE of a route", bytes: head("TRACE", []), status: 405 },
  { why: "a method of WebDAV", bytes: head("PROPFIND", []), status: 405 },
  { why: "a method of nobody's", bytes: head("SMUGGLE", []), status: 400 },
  { why: "the greeting of HTTP/2", bytes: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", status: 400 },
  { why: "HTTP/0.9", bytes: "GET /v2/health/live\r\n\r\n", status: 400 },
  {
    why: "HTTP/3.7",
    bytes: "GET /v2/health/live HTTP/3.7\r\nHost: localhost\r\n\r\n",
    status: 400,
  },
  {
    why: "a tab in the request line",
    bytes: "GET\t/v2/health/live\tHTTP/1.1\r\nHost: localhost\r\n\r\n",
    status: 400,
  },
  {
    why: "a byte that is no ASCII in the path",
    bytes: head("GET", [], "/v2/h\xe9alth"),
    status: 400,
  },
  { why: "headers of 20 KiB", bytes: head("GET", [`X: ${"a".repeat(20_000)}`]), status: 431 },
  {
    why: "a target of 3,000 bytes",
    bytes: head("GET", [], `/v2/${"a".repeat(3000)}`),
    status: 414,
  },
];

describe.each(["front", "gateway"] as const)("%s", (name) => {
  it.each(rows)("$why: $status", async ({ bytes, status, goesOn = false }) => {
    const answer = await exchange(servers.ports[name], bytes + last);
    const went = goesOn === "perhaps" ? answer.statuses.length > 1 : goesOn;
    expect(answer.statuses).toEqual(went ? [status, 200] : [status]);
    expect(answer.closed).toBe(true);
    if (went) expect(answer.text).toMatch(/\{"live":true\}$/);
    expect(unloaded).toEqual([]);
  });
});

describe("the front's connections to the gateway", () => {
  it("are not left with a request of the client's making, whatever came before", async () => {
    for (let i = 0; i < 20; i++) {
      const { statuses } = await exchange(
        servers.ports.front,
        head("GET", [chunked, i % 2 === 0 ? "X: y" : "Connection: keep-alive"]) +
          hiddenChunks +
          last,
      );
      expect(statuses).toEqual([200, 200]);
    }
    expect(unloaded).toEqual([]);
  });

  it("carry no header that only our own parts may set", async () => {
    const seen: IncomingHttpHeaders[] = [];
    const recorder = createServer(({ headers }, response) => {
      seen.push(headers);
      response.end();
    });
    await new Promise<void>((resolve) => recorder.listen(0, "127.0.0.1", resolve));
    const pipe = createGatewayPipe(
      `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`,
      async () => "the portal's own",
    );
    const front = createFront({
      guard: new OriginGuard({ known: [], opensReads: true }),
      owner: new OwnerGuard(),
      pages() {},
      gateway: pipe,
      maxConnections: 100,
      maxClientConnections: 100,
    });
    await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
    const { port } = front.address() as AddressInfo;
    const lines = [
      "X-BW-Revision: rev_x",
      "X-BW-Slot-Epoch: 7",
      "X-Forwarded-For: 10.0.0.1",
      "Forwarded: for=10.0.0.1",
      "X-Middleware-Subrequest: a",
      "x-nextjs-data: 1",
      "X-Nextjs-Postponed: 1",
      "X-Next-Cache-Tags: a",
      "X-Invoke-Path: /admin",
      "X-Matched-Path: /admin",
      "X-Forwarded-Host: evil.test",
      "Connection: X-Mine, close",
      "X-Mine: y",
      "X-BW-Timing: 1",
      "Inference-Header-Content-Length: 5",
    ];
    expect((await exchange(port, head("GET", lines))).statuses).toEqual([200]);
    // The portal speaks for whoever it let in.
    expect(seen[0]?.authorization).toBe("Bearer the portal's own");
    expect(Object.keys(seen[0] ?? {}).sort()).toEqual([
      "authorization",
      "connection",
      "host",
      "inference-header-content-length",
      "x-bw-timing",
    ]);
    pipe.close();
    for (const server of [front, recorder]) {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    }
  });

  it("carry a chunked body whole", async () => {
    const body = JSON.stringify({ ready: true });
    const { statuses, text } = await exchange(
      servers.ports.front,
      `${head("POST", [chunked, "Connection: close"], "/v2/repository/index")}${chunk(body.slice(0, 3))}${chunk(body.slice(3))}0\r\n\r\n`,
    );
    expect(statuses).toEqual([200]);
    expect(text).toMatch(/\[\]/);
  });

  it("let the real one through, so that this test can fail", async () => {
    const { statuses } = await exchange(servers.ports.front, hidden + last);
    expect(statuses).toEqual([200, 200]);
    expect(unloaded).toEqual(["mlp"]);
  });
});
