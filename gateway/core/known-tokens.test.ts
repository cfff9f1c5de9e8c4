import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Grant } from "@/lib/server/auth";
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
    expect(await tokens.grantOf("t", undefined)).toMatchObject(grant);
    for (let i = 0; i < 5; i++) expect(tokens.grantOf("t", undefined)).toMatchObject(grant);
    expect(asked).toBe(1);
  });

  it("are good for a minute while the database is away, and then refused", async () => {
    await tokens.grantOf("t", undefined);
    await vi.advanceTimersByTimeAsync(1000);
    isAway = true;
    await vi.advanceTimersByTimeAsync(55_000);
    expect(tokens.grantOf("t", undefined)).toMatchObject(grant);
    await expect(tokens.grantOf("another", undefined)).rejects.toMatchObject({
      reason: "STORE_UNAVAILABLE",
    });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(() => tokens.grantOf("t", undefined)).toThrow(
      expect.objectContaining({ reason: "STORE_UNAVAILABLE" }),
    );
    // What was revoked in so long a time may not be named any more: every token is looked up anew.
    isAway = false;
    await vi.advanceTimersByTimeAsync(1000);
    found = null;
    expect(await tokens.grantOf("t", undefined)).toBeNull();
  });

  it("end when their life is over, by the clock of the process and not of the day", async () => {
    found = { ...grant, livesMs: 5000 };
    await tokens.grantOf("t", undefined);
    await vi.advanceTimersByTimeAsync(4000);
    expect(tokens.grantOf("t", undefined)).toMatchObject({ id: "a" });
    await vi.advanceTimersByTimeAsync(1500);
    found = null;
    expect(await tokens.grantOf("t", undefined)).toBeNull();
  });

  it("that nobody made are not looked up at every call", async () => {
    found = null;
    for (let i = 0; i < 5; i++) expect(await tokens.grantOf("t", undefined)).toBeNull();
    expect(asked).toBe(1);
    await vi.advanceTimersByTimeAsync(1500);
    found = grant;
    expect(await tokens.grantOf("t", undefined)).toMatchObject(grant);
  });

  it("tell of their use once in a while, with the network that they came from", async () => {
    for (let i = 0; i < 100; i++) await tokens.grantOf("t", "192.0.2.7");
    await vi.advanceTimersByTimeAsync(16_000);
    expect(noted).toEqual([{ id: "a", from: "192.0.2.0/24" }]);
  });
});
