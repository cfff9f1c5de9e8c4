import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LogLine } from "@/lib/common/contract";
import { LiveStream } from "./stream";

/** As much of an EventSource as the stream uses. */
class FakeSource extends EventTarget {
  closed = false;
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
  }

  close() {
    this.closed = true;
  }

  say(type: string, data: unknown = {}, lastEventId = "") {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data), lastEventId }));
  }
}

const line = (n: number): LogLine => ({
  n,
  time: "2026-11-20T12:00:00.000Z",
  stage: "place",
  stream: "stdout",
  level: "info",
  text: `line ${n}`,
});

function setUp() {
  const sources: FakeSource[] = [];
  const changes: number[] = [];
  let gaps = 0;
  const stream = new LiveStream({
    url: "/api/v1/events",
    onChange: ({ seq }) => changes.push(seq),
    onGap: () => (gaps += 1),
    open: (url) => {
      const source = new FakeSource(url);
      sources.push(source);
      return source as unknown as EventSource;
    },
  });
  stream.connect();
  const newest = () => sources.at(-1)!;
  return { stream, changes, sources, newest, gaps: () => gaps };
}

describe("the event stream", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("asks again for everything once it is open, since changes before that went unheard", () => {
    const { newest, gaps, stream } = setUp();
    newest().say("open");
    expect(gaps()).toBe(1);
    expect(stream.getState()).toBe("live");
  });

  it("reconnects with its cursors and hears no change twice", () => {
    const { newest, changes, sources } = setUp();
    newest().say("open");
    newest().say("change", { seq: 7, noun: "build", id: "bld_1" });
    newest().say("error");
    vi.advanceTimersByTime(600);
    expect(sources).toHaveLength(2);
    expect(newest().url).toContain("events=7");
    newest().say("change", { seq: 7, noun: "build", id: "bld_1" });
    newest().say("change", { seq: 8, noun: "build", id: "bld_1" });
    expect(changes).toEqual([7, 8]);
  });

  it("follows a log from the last line that is held, ten paints a second", () => {
    const { stream, newest } = setUp();
    const held: number[] = [];
    let calls = 0;
    stream.watchLog({
      buildId: "bld_1",
      attempt: 2,
      after: () => 120 + held.length,
      onLines: (lines) => {
        calls += 1;
        held.push(...lines.map(({ n }) => n));
      },
    });
    expect(new URL(newest().url, "http://x").searchParams.get("log")).toBe("bld_1:2:120");
    newest().say("log", line(121), "2:121");
    newest().say("log", line(122), "2:122");
    newest().say("log", line(9), "1:9");
    vi.advanceTimersByTime(100);
    expect(held).toEqual([121, 122]);
    expect(calls).toBe(1);
    newest().say("error");
    vi.advanceTimersByTime(600);
    expect(new URL(newest().url, "http://x").searchParams.get("log")).toBe("bld_1:2:122");
  });

  it("is stale after 15 s without a stream, and says so once", () => {
    const { stream, newest, gaps } = setUp();
    newest().say("open");
    newest().say("error");
    expect(stream.getState()).toBe("reconnecting");
    for (let second = 0; second < 16; second += 1) {
      vi.advanceTimersByTime(1000);
      if (!newest().closed) newest().say("error");
    }
    expect(stream.getState()).toBe("stale");
    expect(gaps()).toBe(2);
  });

  it("takes silence after heartbeats for a dead connection", () => {
    const { newest, sources } = setUp();
    newest().say("open");
    newest().say("heartbeat");
    vi.advanceTimersByTime(41_000);
    expect(sources.length).toBeGreaterThan(1);
    expect(sources[0]?.closed).toBe(true);
  });
});
