import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import { type CallOptions, callAt } from "@/tests/support/call";
import { startTestGateway } from "@/tests/support/gateway";
import { verifyToken } from "@/tests/support/tokens";
import { type FakeBoard, serve, standardModels, startFakeBoard } from "./fake-board";

let board: FakeBoard;
let gateway: Gateway;
let asked = 0;
let open = (): void => {};
const gate = new Promise<void>((resolve) => {
  open = resolve;
});

beforeAll(async () => {
  board = await startFakeBoard();
  const slow = standardModels().map((model) =>
    model.name === "single"
      ? { ...model, run: (x: Parameters<typeof model.run>[0]) => gate.then(() => model.run(x)) }
      : model,
  );
  const endpoints = slow.map((model) => serve(board, model));
  gateway = await startTestGateway(endpoints, {
    control: { setPaused: async () => true },
    access: {
      cacheMs: 60_000,
      async verify(token) {
        asked++;
        return verifyToken(token);
      },
    },
    maxClientInFlight: 2,
  });
});
afterAll(async () => {
  open();
  await gateway.close();
  await board.close();
});

const call = (path: string, token: string | null, options: CallOptions = {}) =>
  callAt(gateway.httpPort, path, {
    ...options,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });
const body = JSON.stringify({
  inputs: [{ name: "x", shape: [1, 4], datatype: "FP32", data: [1, 2, 3, 4] }],
});

describe("who may call", () => {
  it("is whoever has a good token, asked of once", async () => {
    for (let i = 0; i < 3; i++) expect((await call("/v2/models", "user")).status).toBe(200);
    expect(asked).toBe(1);
  });

  it.each([null, "stranger", "two words"])("is not one with the token %s", async (token) => {
    const answer = await call("/v2/models/add", token);
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe("Bearer");
    expect(answer.json).toMatchObject({
      code: "UNAUTHENTICATED",
      error: expect.stringMatching(/token/),
    });
  });

  it("73 may not change what is served without the right", async () => {
    const answer = await call("/v2/repository/models/add/unload", "user", { method: "POST" });
    expect([answer.status, answer.json.code]).toEqual([403, "FORBIDDEN"]);
    expect((await call("/v2/models/add/ready", "user")).status).toBe(200);
    const unload = await call("/v2/repository/models/add/unload", "admin", { method: "POST" });
    expect(unload.status).toBe(200);
  });

  it("does not learn of models that are not theirs", async () => {
    const hidden = await call("/v2/models/matrix", "user");
    expect([hidden.status, hidden.json.error]).toEqual([
      404,
      expect.stringContaining("Request for unknown model"),
    ]);
    expect((await call("/v2/models/matrix", "admin")).status).toBe(200);
  });
});

describe("one client's requests", () => {
  it("are refused beyond what may be under way, others' are not", async () => {
    const infer = (token: string) => call("/v2/models/single/infer", token, { body });
    const running = [infer("user"), infer("user")];
    await expect.poll(() => board.seen.length).toBeGreaterThan(0);
    const refused = await infer("user");
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "1"]);
    const other = infer("admin");
    open();
    for (const answer of await Promise.all([...running, other])) expect(answer.status).toBe(200);
    expect((await infer("user")).status).toBe(200);
  });
});
