import { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GrpcCall } from "./call";
import type { Http2Stream } from "./http2";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A call with this deadline. */
function callWith(deadline: string | undefined): GrpcCall {
  const headers = deadline === undefined ? {} : { "grpc-timeout": deadline };
  return new GrpcCall({ headers } as Http2Stream, { client: "a", socket: new Socket() });
}

describe("a call", () => {
  it.each([
    ["without a deadline", undefined, 60_000],
    ["of a hundred years", "876000H", 60_000],
    ["with a deadline that cannot be read", "soon", 60_000],
    ["of three seconds", "3S", 3000],
  ])("%s ends when its time is over", (_what, deadline, afterMs) => {
    const { life } = callWith(deadline);
    vi.advanceTimersByTime(afterMs - 1);
    expect(life.ended).toBe(false);
    vi.advanceTimersByTime(1);
    expect(life.cause).toMatchObject({ reason: "DEADLINE_EXCEEDED" });
  });

  it("without any time ends at once", () => {
    const { life } = callWith("0m");
    vi.advanceTimersByTime(1);
    expect(life.cause).toMatchObject({ reason: "DEADLINE_EXCEEDED" });
  });
});
