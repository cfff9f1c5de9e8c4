import { readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { breakOff, exchange } from "@/tests/support/raw";
import { mostOfClient, mostToFront, startServers } from "@/tests/support/servers";

// A connection that asks for another protocol and then breaks: what Node hands over on an upgrade has no error listener.

let servers: Awaited<ReturnType<typeof startServers>>;
const uncaught: unknown[] = [];
const note = (error: unknown) => uncaught.push(error);

beforeAll(async () => {
  servers = await startServers();
  process.prependListener("uncaughtException", note);
});
afterAll(async () => {
  process.off("uncaughtException", note);
  await servers.close();
});

const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
const names = ["front", "gateway", "metrics"] as const;

describe.each(names)("%s", (name) => {
  it("answers an upgrade with 400 and closes", async () => {
    const answer = await exchange(
      servers.ports[name],
      `GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`,
    );
    expect(answer).toMatchObject({ statuses: [400], closed: true });
  });

  it("answers CONNECT with a refusal and closes", async () => {
    const answer = await exchange(
      servers.ports[name],
      "CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    );
    expect(answer).toMatchObject({ statuses: [405], closed: true });
    expect(answer.text).toMatch(/\r\nAllow: GET, /i);
  });

  it.each(["reset", "close"] as const)("survives clients that upgrade and %s", async (how) => {
    const live = "GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n";
    for (let i = 0; i < 40; i++) {
      // What follows the head is written after the answer began: a broken socket then errs.
      const method = i % 4 === 3 ? "CONNECT localhost:1" : "GET /v2/health/live";
      await breakOff(
        servers.ports[name],
        `${live.replace("GET /v2/health/live", method)}${upgrade}\r\n${"x".repeat(i * 1000)}`,
        how,
      );
    }
    const answer = await exchange(servers.ports[name], `${live}Connection: close\r\n\r\n`);
    expect(answer.statuses).toHaveLength(1);
    expect(uncaught).toEqual([]);
  });
});

const call = '"slotId":"slt_x","revisionId":"rev_x","slotEpoch":1,"waitMs":1';

/** A message without tensors: its lengths, then its words. */
function framed(head: string): string {
  const words = `[${head},[]]`;
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(words.length, 0);
  return lengths.toString("latin1") + words;
}

describe("a board server, which speaks no HTTP", () => {
  it.each(["GET /live HTTP/1.1\r\nHost: localhost\r\n", "CONNECT localhost:1 HTTP/1.1\r\n"])(
    "answers %j with the end of the connection",
    async (head) => {
      const answer = await exchange(servers.ports.board, `${head}\r\n`);
      expect(answer).toMatchObject({ text: "", closed: true });
    },
  );

  it.each([
    ["no object", "null"],
    ["no call", '{"id":1}'],
    ["a call with a number that is none", `{"id":-1,${call}}`],
  ])("ends it too after a message that is %s, and answers others", async (_, head) => {
    const answer = await exchange(servers.ports.board, framed(head));
    expect(answer).toMatchObject({ text: "", closed: true });
    const other = await exchange(servers.ports.board, framed('{"ping":7}') + framed("null"));
    expect(other.text).toContain('{"pong":7}');
  });

  it.each(["reset", "close"] as const)("survives callers that ask and %s", async (how) => {
    for (let i = 0; i < 40; i++)
      await breakOff(servers.ports.board, framed(`{"id":${i},${call}}`), how);
    const answer = await exchange(servers.ports.board, framed('{"ping":1}') + framed("null"));
    expect(answer.text).toContain('{"pong":1}');
    expect(uncaught).toEqual([]);
  });
});

it("takes so many connections of one client to the front, so many of all, and others again when some have gone", async () => {
  const open = (localAddress: string) =>
    new Promise<{ readonly socket: Socket; heard: string }>((resolve) => {
      const socket = connect({ host: "127.0.0.1", port: servers.ports.front, localAddress });
      const opened = { socket, heard: "" };
      socket.on("data", (chunk) => {
        opened.heard += chunk.toString();
      });
      socket.on("error", () => {});
      socket.once("connect", () => resolve(opened));
    });
  const openMany = (count: number, from: string) =>
    Promise.all(Array.from({ length: count }, () => open(from)));
  const ofOne = await openMany(mostOfClient + 8, "127.0.0.1");
  const refused = () => ofOne.filter(({ heard }) => /^HTTP\/1.1 429 /.test(heard));
  await expect.poll(() => refused().length).toBe(8);
  await expect.poll(() => refused().every(({ socket }) => socket.destroyed)).toBe(true);
  const room = mostToFront - mostOfClient;
  const ofOther = await openMany(room + 8, "127.0.0.2");
  const dropped = () => ofOther.filter(({ socket }) => socket.readableEnded || socket.destroyed);
  await expect.poll(() => dropped().length).toBe(8);
  for (const { socket } of [...ofOne, ...ofOther]) socket.destroy();
  const page = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  await expect
    .poll(async () => (await exchange(servers.ports.front, page)).statuses)
    .toEqual([200]);
});

it("counts the connections that it ended", async () => {
  const { gateway, metrics } = servers.ports;
  await exchange(gateway, "no request at all\r\n\r\n");
  const scrape = "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  const { text } = await exchange(metrics, scrape);
  expect(text).toMatch(/^boardwalk_resets_total\{protocol="http",cause="malformed"\} [1-9]/m);
  expect(text).toMatch(/^boardwalk_resets_total\{protocol="http",cause="connect"\} [1-9]/m);
});

it("lets nobody else listen for upgrades of the front: frameworks add listeners of their own", async () => {
  let heard = 0;
  const listener = () => heard++;
  for (const add of ["on", "once", "addListener", "prependListener"] as const) {
    servers.front[add]("upgrade", listener);
  }
  const answer = await exchange(
    servers.ports.front,
    `GET /_next/webpack-hmr HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`,
  );
  expect(answer.statuses).toEqual([400]);
  expect(heard).toBe(0);
});

it("is one guard: no other file of ours makes an HTTP server", () => {
  const files = ["app", "board-server", "gateway", "lib", "portal", "workers"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .map((file) => join(folder, file)),
  );
  expect(files.length).toBeGreaterThan(100);
  const makers = files.filter((file) =>
    /import \{[^}]*\bcreate(Secure)?Server\b[^}]*\} from "node:https?2?"/.test(
      readFileSync(file, "utf8"),
    ),
  );
  expect(makers).toEqual(["lib/server/http/guarded-server.ts"]);
});
