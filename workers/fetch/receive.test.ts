import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { defaultPace, receive } from "./receive";

// Time is made by the test; only what keeps the pace waits for it.

const folder = mkdtempSync(join(tmpdir(), "bw-receive-"));
const minuteBytes = 60 * 16 * 1024;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(join(folder, "model"), { force: true });
});

/** A source that sends so many bytes in each of some minutes, and ends. */
async function received(minutes: readonly number[]): Promise<number | string> {
  const stream = new PassThrough();
  let sent = 0;
  let arrived = 0;
  const receiving = receive(
    { stream, sizeBytes: null, close: async () => {} },
    {
      path: join(folder, "model"),
      limitBytes: 1e9,
      signal: new AbortController().signal,
      pace: defaultPace,
      onProgress: (bytes) => (arrived = bytes),
    },
  ).then(
    ({ sizeBytes }) => sizeBytes,
    ({ reason }) => reason,
  );
  for (const bytes of minutes) {
    sent += bytes;
    stream.write(Buffer.alloc(bytes));
    await vi.waitFor(() => expect(arrived).toBe(sent), { timeout: 30_000 });
    vi.advanceTimersByTime(60_000);
  }
  stream.end();
  return await receiving;
}

describe("the pace of a source", () => {
  it("may be 16 KiB a second, counted by the minute", async () => {
    expect(await received([minuteBytes, minuteBytes, minuteBytes])).toBe(3 * minuteBytes);
  });

  it("may not be less in any minute, however much came in the one before", async () => {
    expect(await received([minuteBytes - 1])).toBe("SOURCE_TOO_SLOW");
    rmSync(join(folder, "model"), { force: true });
    expect(await received([5 * minuteBytes, minuteBytes - 1])).toBe("SOURCE_TOO_SLOW");
  });
});
