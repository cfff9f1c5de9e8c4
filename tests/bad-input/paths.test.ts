import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixedHandlers, modelHandlers } from "@/gateway/http/handlers";
import { exchange } from "@/tests/support/raw";
import { startServers } from "@/tests/support/servers";

// Paths that are no text: 400 on every route of the portal and of the gateway, decided before any page or handler sees them.

let servers: Awaited<ReturnType<typeof startServers>>;
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => servers.close());

const ask = (port: number, method: string, target: string) =>
  exchange(port, `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);

const unreadable = [
  ["a NUL", "%00"],
  ["a NUL within", "a%00b"],
  ["a lone surrogate", "%ED%A0%80"],
  ["a byte that begins nothing", "%ff"],
  ["a lone percent", "%"],
  ["half an escape", "a%4"],
  ["an escape of other digits", "%zz"],
  ["an escape of two bytes, cut", "%c3"],
  ["an overlong NUL", "%C0%80"],
  ["a number beyond Unicode", "%F4%90%80%80"],
  ["a newline", "a%0ab"],
  ["an escape character", "%1b[31m"],
  ["an old escape of a browser's", "%u0000"],
] as const;

/** Every route with parameters that the folders of `app` make, `{}` where one stands. */
const pages = readdirSync("app", { recursive: true, encoding: "utf8" })
  .filter((file) => /(^|\/)(route\.ts|page\.tsx)$/.test(file) && file.includes("["))
  .map((file) => `/${file.replace(/\/[^/]+$/, "").replaceAll(/\[[^\]]+\]/g, "{}")}`)
  .sort();
const ofModels = [
  "/v2/models/{}",
  "/v2/models/{}/ready",
  "/v2/models/{}/config",
  "/v2/models/{}/stats",
  "/v2/models/{}/infer",
  "/v2/models/m/versions/{}",
  "/v2/models/m/versions/{}/infer",
  "/v2/repository/models/{}/load",
  "/v2/repository/models/{}/unload",
  "/v1/models/{}",
  "/v1/models/{}:predict",
];
const others = ["/{}", "/v2/{}", "/_next/static/{}", "/artifacts/{}", "/api/v1/{}"];

it("walks all routes", () => {
  expect(pages).toEqual(expect.arrayContaining(["/builds/{}", "/endpoints/{}"]));
  expect(pages.length).toBeGreaterThan(12);
  expect(ofModels.length).toBeGreaterThanOrEqual(Object.keys(modelHandlers).length);
  expect(Object.keys(fixedHandlers).length).toBeGreaterThan(0);
});

describe.each(unreadable)("%s (%s)", (_, text) => {
  it("is 400 on every route of the portal", async () => {
    servers.seen.length = 0;
    for (const route of [...pages, ...ofModels, ...others]) {
      for (const [method, tail] of [
        ["GET", ""],
        ["POST", "?x=1"],
      ] as const) {
        const target = route.replaceAll("{}", text) + tail;
        const { statuses, text: answer } = await ask(servers.ports.front, method, target);
        expect([target, ...statuses]).toEqual([target, 400]);
        expect(answer).toContain('"reason":"PATH_INVALID"');
      }
    }
    expect(servers.seen).toEqual([]);
  });

  it("is 400 on every route of the gateway", async () => {
    for (const route of [...ofModels, "/{}", "/v2/{}"]) {
      const target = route.replaceAll("{}", text);
      const { statuses } = await ask(servers.ports.gateway, "GET", target);
      expect([target, ...statuses]).toEqual([target, 400]);
    }
  });
});

it.each(["%2e%2e", "..", "%252e%252e", "m%2fready", "m%5cready", "m;v=1"])(
  "names no model by %s: an address is decoded once, and what it names has a form",
  async (text) => {
    for (const [method, target] of [
      ["GET", `/v2/models/${text}`],
      ["POST", `/v2/models/${text}/infer`],
    ] as const) {
      const { statuses, text: answer } = await ask(servers.ports.gateway, method, target);
      expect([target, ...statuses]).toEqual([target, 404]);
      expect(answer).not.toContain('"ready"');
    }
  },
);

it("takes no NUL in a query either", async () => {
  const { statuses } = await ask(servers.ports.front, "GET", "/api/v1/builds?cursor=%00");
  expect(statuses).toEqual([400]);
});

it.each([
  "/endpoints/%C3%A9",
  "/endpoints/a%2fb",
  "/endpoints/%F0%9F%98%80",
  "/deploy?q=100%",
  "/?x=%ff",
])("lets %s pass, which is text", async (target) => {
  servers.seen.length = 0;
  expect((await ask(servers.ports.front, "GET", target)).statuses).toEqual([200]);
  expect(servers.seen).toMatchObject([{ url: target }]);
});
