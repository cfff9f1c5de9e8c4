import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Gather } from "./gather";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("what changes make old", () => {
  it("is asked for at once, and twice a second at most, the last change among them", () => {
    const done: string[] = [];
    const gather = new Gather<readonly string[]>((key) => done.push(key.join("/")));
    for (let n = 0; n < 99; n++) {
      gather.ask(["builds", "list"]);
      if (n === 0) expect(done).toEqual(["builds/list"]);
      vi.advanceTimersByTime(10);
    }
    expect(done).toHaveLength(2);
    vi.advanceTimersByTime(1000);
    expect(done).toHaveLength(3);
    vi.advanceTimersByTime(60_000);
    expect(done).toHaveLength(3);
    gather.ask(["builds", "list"]);
    gather.ask(["boards"]);
    expect(done.slice(3)).toEqual(["builds/list", "boards"]);
  });
});
