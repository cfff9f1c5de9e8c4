import { spawn } from "node:child_process";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ownerAddress, ownerHeaders, ownerVariables } from "@/scripts/lib/owner.mjs";
import { type CallOptions, callAt } from "@/tests/support/call";
import { startServers } from "@/tests/support/servers";

// Another user of this machine reaches every port of ours; what only the owner may do is refused to them.

/** `nobody` of most systems. */
const someoneElse = 65_534;
const isRoot = process.getuid?.() === 0;
let servers: Awaited<ReturnType<typeof startServers>>;
const paused: string[] = [];

beforeAll(async () => {
  servers = await startServers({
    control: {
      async setPaused(name) {
        paused.push(name);
        return true;
      },
    },
  });
});
afterAll(() => servers.close());
beforeEach(() => {
  paused.length = 0;
  servers.seen.length = 0;
});

/** Runs a script of Node as a user; answers what it printed. */
function runAs(uid: number, script: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      uid,
      gid: uid,
      cwd: "/",
      env: { NODE_ENV: "test" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.on("error", reject);
    child.on("close", () => resolve(text));
  });
}

interface Ask {
  readonly port: number;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

/** Statuses of requests that a user makes, each on a connection of its own. */
async function statusesFor(uid: number, asks: readonly Ask[]): Promise<number[]> {
  const script = `
    import { request } from "node:http";
    const statuses = [];
    for (const { port, path, method = "GET", headers = {} } of ${JSON.stringify(asks)}) {
      statuses.push(await new Promise((resolve) => request(
        { host: "127.0.0.1", port, path, method, agent: false, headers: { host: "localhost:" + port, ...headers } },
        (answer) => { answer.resume(); resolve(answer.statusCode); },
      ).on("error", () => resolve(0)).end()));
    }
    console.log(JSON.stringify(statuses));`;
  return JSON.parse(await runAs(uid, script));
}

const unload = "/v2/repository/models/mlp/unload";
const rowsFor = () => {
  const { front, gateway } = servers.ports;
  return [
    { port: front, path: "/" },
    { port: front, path: "/api/v1/builds" },
    { port: front, path: "/api/v1/boards/enrolments", method: "POST" },
    { port: front, path: "/api/board-server/v1/poll", method: "POST" },
    { port: front, path: unload, method: "POST" },
    { port: gateway, path: unload, method: "POST" },
    { port: gateway, path: unload.replace("unload", "load"), method: "POST" },
  ];
};

describe.runIf(isRoot)("another user of the machine", () => {
  it("is refused on the portal, and on load and unload", async () => {
    const asked = rowsFor();
    expect(await statusesFor(someoneElse, asked)).toEqual(asked.map(() => 403));
    expect(servers.seen).toEqual([]);
    expect(paused).toEqual([]);
  });

  it("is not answered by the board server, which answers the owner", async () => {
    const script = `
      import { connect } from "node:net";
      const words = '[{"ping":7},[]]';
      const lengths = Buffer.alloc(8);
      lengths.writeUInt32LE(words.length, 0);
      const socket = connect(${servers.ports.board}, "127.0.0.1");
      socket.on("error", () => {}).on("close", () => console.log("closed"));
      socket.on("data", (bytes) => { console.log(String(bytes.subarray(8))); socket.destroy(); });
      socket.write(Buffer.concat([lengths, Buffer.from(words)]));`;
    expect(await runAs(someoneElse, script)).toBe("closed\n");
    expect(await runAs(0, script)).toBe('[{"pong":7},[]]\nclosed\n');
  });

  it("may infer and see what is served, as the documentation says", async () => {
    const { gateway, metrics } = servers.ports;
    const asked = [
      { port: gateway, path: "/v2/health/live" },
      { port: gateway, path: "/v2/models" },
      { port: metrics, path: "/metrics" },
    ];
    expect(await statusesFor(someoneElse, asked)).toEqual([200, 200, 200]);
  });

  it("is refused over gRPC", async () => {
    const script = `
      import { connect } from "node:http2";
      const session = connect("http://127.0.0.1:${servers.ports.grpc}");
      const stream = session.request({ ":method": "POST", "content-type": "application/grpc", te: "trailers",
        ":path": "/inference.GRPCInferenceService/RepositoryModelUnload" });
      const note = (headers) => { if (headers["grpc-status"]) console.log(headers["grpc-status"]); };
      stream.on("response", note).on("trailers", note).on("close", () => session.close());
      stream.resume();
      stream.end(Buffer.from([0, 0, 0, 0, 5, 0x12, 3, 0x6d, 0x6c, 0x70]));`;
    expect((await runAs(someoneElse, script)).trim()).toBe("7");
    expect(paused).toEqual([]);
    expect((await runAs(0, script)).trim()).toBe("0");
    expect(paused).toEqual(["mlp"]);
  });

  it("does nothing either by leaving before the answer: an orphaned socket belongs to root", async () => {
    const bytes = `POST ${unload} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`;
    const script = `
      import { connect } from "node:net";
      for (let i = 0; i < 60; i++) {
        const port = i % 2 === 0 ? ${servers.ports.gateway} : ${servers.ports.front};
        await new Promise((resolve) => {
          const socket = connect(port, "127.0.0.1", () => socket.write(${JSON.stringify(bytes)}, () => socket.destroy()));
          socket.on("error", () => {}).on("close", resolve);
        });
      }`;
    await runAs(someoneElse, script);
    const { gateway } = servers.ports;
    expect(await statusesFor(0, [{ port: gateway, path: "/v2/health/live" }])).toEqual([200]);
    expect(paused).toEqual([]);
  });

  it("is no owner by a token that does not exist, nor by headers", async () => {
    const { front } = servers.ports;
    const asked = [
      { port: front, path: "/?token=" },
      { port: front, path: "/", headers: { authorization: "Bearer " } },
      { port: front, path: "/", headers: { authorization: "Bearer undefined" } },
      { port: front, path: "/", headers: { "x-forwarded-for": "127.0.0.1" } },
    ];
    expect(await statusesFor(someoneElse, asked)).toEqual([403, 403, 403, 403]);
  });

  it("is not the owner, who passes without typing anything", async () => {
    const asked = rowsFor().slice(0, 6);
    expect(await statusesFor(0, asked)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(paused).toEqual(["mlp", "mlp"]);
  });
});

describe("callers of whom the system says nothing", () => {
  const token = "a-token-of-some-length";
  let apart: typeof servers;
  beforeAll(async () => {
    const control = {
      async setPaused(name: string) {
        paused.push(name);
        return true;
      },
    };
    apart = await startServers({ control }, { token, uidOf: async () => null });
  });
  afterAll(() => apart.close());
  const ask = (path: string, options: CallOptions = {}) =>
    callAt(apart.ports.front, path, {
      ...options,
      headers: { host: "localhost", ...options.headers },
    });

  it("are told how to prove that they are the owner", async () => {
    const answer = await ask("/api/v1/builds");
    expect(answer.status).toBe(401);
    expect(answer.json.error).toMatchObject({ reason: "UNAUTHENTICATED" });
    expect(answer.json.error.hint).toMatch(/BOARDWALK_OWNER_TOKEN.*\?token=/);
    const control = await callAt(apart.ports.gateway, unload, { method: "POST" });
    expect(control.status).toBe(401);
    expect(apart.seen).toEqual([]);
    expect(paused).toEqual([]);
  });

  it("are the owner with the token, on the portal, below it and on the gateway", async () => {
    const headers = { authorization: `Bearer ${token}` };
    expect((await ask("/api/v1/builds", { headers })).status).toBe(200);
    expect((await ask(unload, { headers, method: "POST" })).status).toBe(200);
    const { gateway } = apart.ports;
    expect((await callAt(gateway, unload, { headers, method: "POST" })).status).toBe(200);
    expect(paused).toEqual(["mlp", "mlp"]);
  });

  it.each([
    ["/api/v1/builds", 200],
    ["/api/v1", 200],
    ["/builds", 401],
    ["/api/v1/../../builds", 401],
    ["/api/v1/%2e%2e/%2E%2E/builds", 401],
    ["/api/v1/..\\..\\builds", 401],
    ["//x/api/v1/builds", 401],
    ["/api/v12/builds", 401],
    ["/_next/data/api/v1/builds", 401],
    ["/builds?/api/v1/", 401],
  ])("come past the front with a token of ours to %s: %i", async (path, status) => {
    const headers = { authorization: "Bearer bw_api_x" };
    expect((await ask(path, { headers })).status).toBe(status);
  });

  it("open the address with the token once, and have a cookie after that", async () => {
    const opened = await ask(`/builds?token=${token}&x=1`);
    expect(opened.status).toBe(303);
    expect(opened.headers["location"]).toBe("/builds?x=1");
    const [given = ""] = opened.headers["set-cookie"] ?? [];
    expect(given).toMatch(/; HttpOnly; SameSite=Lax/);
    expect(given).not.toContain(token);
    const [pair = ""] = given.split(";");
    const cookie = { cookie: `other=1; ${pair}` };
    expect((await ask("/builds?x=1", { headers: cookie })).status).toBe(200);
    // Below the portal's own address too, where the gateway cannot tell either who calls.
    expect((await ask(unload, { headers: cookie, method: "POST" })).status).toBe(200);
    expect((await ask("/builds", { headers: { cookie: `${pair}x` } })).status).toBe(401);
    expect((await ask(`//evil.test/?token=${token}`)).headers["location"]).toBe("/evil.test/");
  });

  it.each([
    ["/?token=wrong"],
    ["/?token="],
    ["/?token=a-token-of-some-lengt"],
    [`/?token=${"a".repeat(1000)}`],
    [`/?x=${token}`],
  ])("are not the owner by %s", async (path) => {
    expect((await ask(path)).status).toBe(401);
  });

  it("may be board servers, whose calls are signed, on exactly their paths", async () => {
    const signed = { method: "POST" };
    expect((await ask("/api/board-server/v1/poll", signed)).status).toBe(200);
    expect((await ask("/api/board-server/v1/enrol", signed)).status).toBe(200);
    const digest = `sha256:${"a".repeat(64)}`;
    const file = `/api/board-server/v1/artifacts/${digest}/files/${digest}`;
    expect((await ask(file)).status).toBe(200);
    for (const path of [
      "/api/board-server/v1/../../v1/builds",
      "/api/board-server/v1/poll/../../../v1/builds",
      "/api/board-server/v1/artifacts/../files/x",
      "/api/board-server/v1/poll?x=/../..",
      "/api/board-server/v1/poll%2f..",
    ]) {
      expect((await ask(path, signed)).status).toBe(401);
    }
  });
});

describe("the metrics port", () => {
  it.each([
    ["evil.test", 421],
    ["evil.test:8002", 421],
    ["localhost:8002", 200],
    ["127.0.0.1", 200],
  ])("asked for as %s answers %i", async (host, status) => {
    const { metrics } = servers.ports;
    expect((await callAt(metrics, "/metrics", { headers: { host } })).status).toBe(status);
  });

  it("answers no page of another site", async () => {
    const headers = { host: "localhost:8002", origin: "http://evil.test" };
    expect((await callAt(servers.ports.metrics, "/metrics", { headers })).status).toBe(403);
  });
});

describe("settings", () => {
  const environment = async (variables: Record<string, string>) => {
    vi.resetModules();
    vi.stubEnv("DATABASE_URL", "postgresql://a/b");
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    const { gatewayEnv, portalEnv } = await import("@/lib/server/env");
    return [portalEnv, gatewayEnv] as const;
  };
  afterEach(() => vi.unstubAllEnvs());
  const home = { secret: () => "made-and-remembered" };
  const token = "a-token-of-some-length";

  it.each(["0.0.0.0", "::", "192.168.1.7", "boardwalk.test"])(
    "refuse to listen on %s without accounts or a token, which the launcher turns on",
    async (host) => {
      for (const env of await environment({ PORTAL_HOST: host })) {
        expect(env).toThrow(
          /PORTAL_HOST: .*nobody signs in.*127\.0\.0\.1.*BOARDWALK_ACCOUNTS=on.*BOARDWALK_OWNER_TOKEN/,
        );
      }
      const given = ownerVariables(home, { PORTAL_HOST: host }, true);
      expect(given).toEqual({
        BOARDWALK_ACCOUNTS: "on",
        BOARDWALK_OWNER_TOKEN: "made-and-remembered",
      });
      for (const env of await environment({ PORTAL_HOST: host, ...given }))
        expect(env).not.toThrow();
    },
  );

  it("let others in with a token, and this machine without", async () => {
    for (const variables of [
      { PORTAL_HOST: "0.0.0.0", BOARDWALK_OWNER_TOKEN: token },
      { PORTAL_HOST: "127.0.0.1" },
      { PORTAL_HOST: "::1" },
      { PORTAL_HOST: "" },
    ]) {
      for (const env of await environment(variables)) expect(env).not.toThrow();
      expect(() => ownerVariables(home, variables, true)).not.toThrow();
    }
  });

  it("take no token that could be guessed or would break a cookie", async () => {
    for (const weak of ["short", "with blanks in it, long", "with;semicolon;in;it"]) {
      for (const env of await environment({ BOARDWALK_OWNER_TOKEN: weak })) {
        expect(env).toThrow(/BOARDWALK_OWNER_TOKEN/);
      }
    }
  });

  it("make a token where the system tells nothing, and print it in the address", () => {
    expect(ownerVariables(home, {}, true)).toEqual({});
    const made = ownerVariables(home, {}, false);
    expect(made).toEqual({ BOARDWALK_OWNER_TOKEN: "made-and-remembered" });
    expect(ownerAddress("http://localhost:3000", made)).toBe(
      "http://localhost:3000/?token=made-and-remembered",
    );
    expect(ownerHeaders(made)).toEqual({ authorization: "Bearer made-and-remembered" });
    expect(ownerVariables(home, { SUDO_UID: "1000" }, true)).toEqual({
      BOARDWALK_OWNER_UID: "1000",
    });
  });
});
