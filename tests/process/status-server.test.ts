import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StatusServer, startOwnStatusServer, startStatusServer } from "@/lib/server/metrics";
import { callAt } from "../support/call";

let server: StatusServer;
let isAway = false;

beforeAll(async () => {
  server = await startStatusServer({
    port: 0,
    checks: {
      good: async () => {},
      sometimes: async () => {
        if (isAway) throw new Error("connect ECONNREFUSED postgres://me:secret@host/db\nmore");
      },
    },
    text: async () => "own 1\n",
  });
});
afterAll(async () => server?.close());

const get = (path: string, headers = {}) => callAt(server.port, path, { headers });

describe("the status of a process", () => {
  it("is well while it has what it needs, and is scraped", async () => {
    const { status, text } = await get("/healthz");
    expect([status, JSON.parse(text)]).toMatchObject([
      200,
      { status: "ok", checks: { good: { ok: true } } },
    ]);
    const metrics = (await get("/metrics")).text;
    expect(metrics).toMatch(/^boardwalk_check_up\{check="good"\} 1$/m);
    expect(metrics).toMatch(/^own 1$/m);
  });

  it("asks its stores once for many callers", async () => {
    let asked = 0;
    const fresh = await startStatusServer({
      port: 0,
      checks: { store: async () => void asked++ },
      text: async () => "",
    });
    await Promise.all(Array.from({ length: 20 }, () => callAt(fresh.port, "/healthz", {})));
    await fresh.close();
    expect(asked).toBe(1);
  });

  it("says what it lacks, without a password", async () => {
    isAway = true;
    await expect.poll(async () => (await get("/healthz")).status).toBe(503);
    const { text } = await get("/healthz");
    expect(text).toContain("ECONNREFUSED");
    expect(text).not.toMatch(/secret|more/);
    expect((await get("/metrics")).text).toMatch(/^boardwalk_check_up\{check="sometimes"\} 0$/m);
    isAway = false;
  });

  it.each([
    ["/healthz", { host: "evil.test" }, 421],
    ["/metrics", { host: "localhost:8004", origin: "http://evil.test" }, 403],
    ["/other", {}, 404],
  ])("%s with %o answers %i", async (path, headers, status) => {
    expect((await get(path, headers)).status).toBe(status);
  });

  it("takes what does not answer for away", async () => {
    const hangs = await startStatusServer({
      port: 0,
      checks: { silent: () => new Promise(() => {}) },
      text: async () => "",
    });
    const { status, text } = await callAt(hangs.port, "/healthz", {});
    await hangs.close();
    expect([status, JSON.parse(text)]).toMatchObject([503, { checks: { silent: { ok: false } } }]);
  });

  it("is done without where its port is another's", async () => {
    const options = { port: server.port, variable: "X", checks: {}, text: async () => "" };
    expect(await startOwnStatusServer(options)).toBeNull();
  });
});
