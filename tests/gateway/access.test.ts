import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import { type CallOptions, callAt } from "@/tests/support/call";
import { startTestGateway } from "@/tests/support/gateway";
import { type CallerName, closed, knownTokens, tokenOf } from "@/tests/support/tokens";
import { type FakeBoard, serve, standardModels, startFakeBoard } from "./fake-board";

let board: FakeBoard;
let gateway: Gateway;
let open = (): void => {};
const gate = new Promise<void>((resolve) => {
  open = resolve;
});

const { tokens, asked } = knownTokens();

beforeAll(async () => {
  board = await startFakeBoard();
  const slow = standardModels().map((model) =>
    model.name === "single"
      ? { ...model, run: (x: Parameters<typeof model.run>[0]) => gate.then(() => model.run(x)) }
      : model,
  );
  const endpoints = closed(slow.map((model) => serve(board, model)));
  gateway = await startTestGateway(
    endpoints.map((each) => (each.name === "scalar" ? { ...each, access: "all" } : each)),
    {
      control: { setPaused: async () => true },
      access: { tokens },
      maxClientInFlight: 2,
    },
  );
});
afterAll(async () => {
  open();
  await gateway.close();
  await board.close();
});

const call = (path: string, caller: CallerName, options: CallOptions = {}) =>
  callAt(gateway.httpPort, path, {
    ...options,
    headers: caller === null ? {} : { authorization: `Bearer ${tokenOf[caller]}` },
  });
const body = JSON.stringify({
  inputs: [{ name: "x", shape: [1, 4], datatype: "FP32", data: [1, 2, 3, 4] }],
});

describe("who may call", () => {
  it("is whoever has a good token, looked up once", async () => {
    for (let i = 0; i < 3; i++) expect((await call("/v2/models/add", "user")).status).toBe(200);
    expect(asked.filter((text) => text === tokenOf.user)).toHaveLength(1);
  });

  it.each([null, "stranger"] as const)("is not one with the token %s", async (caller) => {
    const answers = [];
    for (const name of ["add", "matrix", "not-there"]) {
      const answer = await call(`/v2/models/${name}`, caller);
      expect(answer.status).toBe(401);
      expect(answer.headers["www-authenticate"]).toBe("Bearer");
      answers.push(answer.json);
    }
    expect(answers[0]).toMatchObject({
      code: "UNAUTHENTICATED",
      error: expect.stringMatching(/token/),
    });
    // Nothing tells a model that is there from one that is not.
    expect(new Set(answers.map((json) => JSON.stringify({ ...json, request_id: 0 }))).size).toBe(1);
  });

  it("is everybody where a model is open to all, whatever else they say", async () => {
    expect((await call("/v2/models/scalar", null)).status).toBe(200);
    const basic = { headers: { authorization: "Basic YTpi" } };
    expect((await callAt(gateway.httpPort, "/v2/models/scalar", basic)).status).toBe(200);
    expect((await call("/v2/models/scalar", "stranger")).status).toBe(401);
  });

  it("sees the models that they may use, and no others", async () => {
    const seen = async (caller: CallerName) => (await call("/v2/models", caller)).json.models;
    expect(await seen(null)).toEqual(["scalar"]);
    expect(await seen("user")).toContain("add");
    expect(await seen("user")).not.toContain("matrix");
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
    const absent = await call("/v2/models/not-there", "user");
    expect(hidden.json.error.replace("matrix", "not-there")).toBe(absent.json.error);
  });
});

describe("one client's requests", () => {
  it("are refused beyond what may be under way, others' are not", async () => {
    const infer = (caller: CallerName) => call("/v2/models/single/infer", caller, { body });
    // Two of them wait at the board: the third is the one that is answered.
    const asked = [infer("user"), infer("user"), infer("user")];
    const refused = await Promise.race(asked);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "1"]);
    const other = infer("admin");
    open();
    const statuses = (await Promise.all([...asked, other])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 200, 429]);
    expect((await infer("user")).status).toBe(200);
  });
});

describe("a revoked token", () => {
  it.each([
    ["at the bell", true],
    ["without a bell, within a second", false],
  ])("is refused %s", async (_, isHeard) => {
    const own = knownTokens();
    const other = await startTestGateway(
      closed(standardModels().map((model) => serve(board, model))),
      {
        access: { tokens: own.tokens },
      },
    );
    const ask = async () =>
      (
        await callAt(other.httpPort, "/v2/models/add", {
          headers: { authorization: `Bearer ${tokenOf.user}` },
        })
      ).status;
    try {
      expect(await ask()).toBe(200);
      own.revoke("user", { isHeard });
      if (isHeard) expect(await ask()).toBe(401);
      else await expect.poll(ask).toBe(401);
    } finally {
      await other.close();
    }
  });
});

describe("a private model, and a link to it", () => {
  it("answers its owner's programs and the link, and is nothing to others of its project", async () => {
    const hidden = closed(standardModels().map((model) => serve(board, model))).map((each) =>
      each.name === "add" ? { ...each, access: "private" as const, ownerId: "admin" } : each,
    );
    const other = await startTestGateway(hidden, { access: { tokens } });
    const ask = (path: string, caller: Exclude<CallerName, null>) =>
      callAt(other.httpPort, path, { headers: { authorization: `Bearer ${tokenOf[caller]}` } });
    try {
      expect((await ask("/v2/models/add", "admin")).status).toBe(200);
      expect((await ask("/v2/models/add", "guest")).status).toBe(200);
      expect((await ask("/v2/models/add", "user")).status).toBe(404);
      const absent = (await ask("/v2/models/not-there", "user")).json.error as string;
      expect((await ask("/v2/models/add", "user")).json.error).toBe(
        absent.replace("not-there", "add"),
      );
      expect((await ask("/v2/models", "user")).json.models).not.toContain("add");
      // The link is good for nothing else.
      expect((await ask("/v2/models/single", "guest")).status).toBe(404);
      expect((await ask("/v2/models", "guest")).json.models).toEqual(["add"]);
      expect((await ask("/v2/repository/models/add/unload", "guest")).status).toBe(405);
    } finally {
      await other.close();
    }
  });
});
