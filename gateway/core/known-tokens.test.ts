import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Grant, makeTokenText } from "@/lib/server/auth";
import { KnownTokens, type TokenReader } from "./known-tokens";

const grant: Grant = {
  id: "a",
  kind: "api",
  project: null,
  userId: null,
  scopes: ["infer"],
  endpointIds: null,
  requestsPerSecond: null,
  livesMs: 3_600_000,
};
const good = makeTokenText("api").text;
let isAway = false;
let found: Grant | null = grant;
let asked = 0;
let noted: unknown[] = [];
let tokens: KnownTokens;
const orAway = <T>(value: T) =>
  isAway
    ? Promise.reject(Object.assign(new Error("away"), { code: "ECONNREFUSED" }))
    : Promise.resolve(value);
const reader: TokenReader = {
  find: () => {
    asked++;
    return orAway(found);
  },
  listRevoked: () => orAway([]),
  listEnded: () => orAway([]),
  listen: () => ({ close: async () => {} }),
  note: async (uses) => {
    noted.push(...uses);
  },
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
  isAway = false;
  found = grant;
  asked = 0;
  noted = [];
  tokens = new KnownTokens(reader);
});
afterEach(async () => {
  await tokens.close();
  vi.useRealTimers();
});

describe("known tokens", () => {
  it("are looked up once, and known at once after that", async () => {
    expect(await tokens.grantOf(good, undefined)).toMatchObject(grant);
    for (let i = 0; i < 5; i++) expect(tokens.grantOf(good, undefined)).toMatchObject(grant);
    expect(asked).toBe(1);
  });

  it("are good for a minute while the database is away, and then refused", async () => {
    await tokens.grantOf(good, undefined);
    await vi.advanceTimersByTimeAsync(1000);
    isAway = true;
    await vi.advanceTimersByTimeAsync(55_000);
    expect(tokens.grantOf(good, undefined)).toMatchObject(grant);
    await expect(tokens.grantOf(makeTokenText("api").text, undefined)).rejects.toMatchObject({
      reason: "STORE_UNAVAILABLE",
    });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(() => tokens.grantOf(good, undefined)).toThrow(
      expect.objectContaining({ reason: "STORE_UNAVAILABLE" }),
    );
    // What was revoked in so long a time may not be named any more: every token is looked up anew.
    isAway = false;
    await vi.advanceTimersByTimeAsync(1000);
    found = null;
    expect(await tokens.grantOf(good, undefined)).toBeNull();
  });

  it("end when their life is over, by the clock of the process and not of the day", async () => {
    found = { ...grant, livesMs: 5000 };
    await tokens.grantOf(good, undefined);
    await vi.advanceTimersByTimeAsync(4000);
    expect(tokens.grantOf(good, undefined)).toMatchObject({ id: "a" });
    await vi.advanceTimersByTimeAsync(1500);
    found = null;
    expect(await tokens.grantOf(good, undefined)).toBeNull();
  });

  it("that nobody made are not looked up at every call", async () => {
    found = null;
    for (let i = 0; i < 5; i++) expect(await tokens.grantOf(good, undefined)).toBeNull();
    expect(asked).toBe(1);
    await vi.advanceTimersByTimeAsync(1500);
    found = grant;
    expect(await tokens.grantOf(good, undefined)).toMatchObject(grant);
  });

  it("tell of their use once in a while, with the network that they came from", async () => {
    for (let i = 0; i < 100; i++) await tokens.grantOf(good, "192.0.2.7");
    await vi.advanceTimersByTimeAsync(16_000);
    expect(noted).toEqual([{ id: "a", from: "192.0.2.0/24" }]);
  });

  it("are looked up once by those who ask with one at once", async () => {
    await Promise.all(Array.from({ length: 500 }, () => tokens.grantOf(good, "192.0.2.7")));
    expect(asked).toBe(1);
  });

  it("are not looked up where they cannot be any", async () => {
    for (const text of ["bw_api_x", "bw_", `${good.slice(0, -1)}!`, `bw_api_${"A".repeat(49)}`])
      expect(tokens.grantOf(text, undefined)).toBeNull();
    expect(asked).toBe(0);
  });

  it("keep their pace and are not looked up again in a flood of others, which costs few look-ups", async () => {
    found = { ...grant, requestsPerSecond: 2 };
    const known = await tokens.grantOf(good, "192.0.2.7");
    known?.pace?.take();
    known?.pace?.take();
    found = null;
    let refused = 0;
    for (let n = 0; n < 20_000; n++)
      await Promise.resolve(tokens.grantOf(makeTokenText("api").text, "192.0.2.7")).catch(
        ({ reason }: { readonly reason: string }) => {
          expect(reason).toBe("RATE_LIMITED");
          refused++;
        },
      );
    expect([asked, refused]).toEqual([101, 19_900]);
    const after = tokens.grantOf(good, "192.0.2.7");
    expect(after).toBe(known);
    expect(() => known?.pace?.take()).toThrow(expect.objectContaining({ reason: "RATE_LIMITED" }));
    expect(asked).toBe(101);
  });

  it("go one by one where there are too many, those that are used last", async () => {
    const others: string[] = [];
    await tokens.grantOf(good, undefined);
    for (let n = 0; n < 10_000; n++) {
      found = { ...grant, id: String(n) };
      others.push(makeTokenText("api").text);
      await tokens.grantOf(others.at(-1) ?? "", undefined);
      await tokens.grantOf(good, undefined);
    }
    expect(asked).toBe(10_001);
    expect(tokens.grantOf(others[1] ?? "", undefined)).toMatchObject({ id: "1" });
    expect(tokens.grantOf(others[0] ?? "", undefined)).toBeInstanceOf(Promise);
  });

  it("keep their pace when they are looked up again after a long outage", async () => {
    found = { ...grant, requestsPerSecond: 1 };
    (await tokens.grantOf(good, undefined))?.pace?.take();
    isAway = true;
    await vi.advanceTimersByTimeAsync(61_500);
    isAway = false;
    await vi.advanceTimersByTimeAsync(400);
    const again = await tokens.grantOf(good, undefined);
    expect(asked).toBe(2);
    again?.pace?.take();
    expect(() => again?.pace?.take()).toThrow(expect.objectContaining({ reason: "RATE_LIMITED" }));
  });
});
