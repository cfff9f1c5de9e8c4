import { beforeEach, describe, expect, it } from "vitest";
import { Bell, type BellOptions } from "./bell";
import type { Channel, Listener } from "./listen";

/** Longer than a test may take. */
const tooLongMs = 3_600_000;
const listeners = new Map<string, Listener>();

function listen(channel: Channel, listener: Listener | Listener["onNotify"]) {
  listeners.set(channel, typeof listener === "function" ? { onNotify: listener } : listener);
  return { close: async () => void listeners.delete(channel) };
}

const bellOf = (channels: readonly Channel[], options: BellOptions = {}) =>
  new Bell(channels, { listen, ...options });

const notify = (channel: Channel, payload = "") => listeners.get(channel)?.onNotify(payload);

async function msOf(work: Promise<void>): Promise<number> {
  const started = performance.now();
  await work;
  return performance.now() - started;
}

beforeEach(() => listeners.clear());

describe("Bell", () => {
  it("wakes who waits, from any of its channels", async () => {
    const bell = bellOf(["event", "command"]);
    setTimeout(() => notify("command"), 10);
    await bell.wait(tooLongMs);
  });

  it("keeps a ring for who comes later, once", async () => {
    const bell = bellOf(["event"]);
    notify("event");
    await bell.wait(tooLongMs);
    expect(await msOf(bell.wait(60))).toBeGreaterThan(40);
  });

  it("hears only what is meant for it", async () => {
    const bell = bellOf(["command"], { hears: (payload) => payload === "mine" });
    notify("command", "other");
    expect(await msOf(bell.wait(60))).toBeGreaterThan(40);
    notify("command", "mine");
    await bell.wait(tooLongMs);
  });

  it("rings when the connection is back", async () => {
    const bell = bellOf(["event"]);
    listeners.get("event")?.onReconnect?.();
    await bell.wait(tooLongMs);
  });

  it("takes along what follows a ring at once", async () => {
    const bell = bellOf(["event"], { settleMs: 60 });
    notify("event");
    setTimeout(() => notify("event"), 10);
    expect(await msOf(bell.wait(tooLongMs))).toBeGreaterThan(40);
    expect(await msOf(bell.wait(50))).toBeGreaterThan(30);
  });

  it("ends with its signal", async () => {
    const bell = bellOf(["event"], { settleMs: tooLongMs });
    await bell.wait(tooLongMs, AbortSignal.timeout(10));
    notify("event");
    await bell.wait(tooLongMs, AbortSignal.timeout(10));
  });

  it("is heard no more once it is closed", async () => {
    const bell = bellOf(["event", "command"]);
    await bell.close();
    expect(listeners.size).toBe(0);
  });
});
