import { describe, expect, it } from "vitest";
import { encodeEvent, eventStream } from "./event-stream";

const never = new AbortController().signal;
const piece = new Uint8Array(200_000).fill(120);

describe("a stream of events", () => {
  it("gives a slow reader all there is in one answer, and holds little of it meanwhile", async () => {
    let given = 0;
    const pieces = 40;
    const response = eventStream(never, async ({ sendBytes }) => {
      for (; given < pieces; given += 1) await sendBytes(piece);
    });
    const reader = response.body?.getReader();
    let taken = 0;
    let mostAhead = 0;
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      const next = await reader?.read();
      if (!next || next.done) break;
      taken += next.value.length;
      mostAhead = Math.max(mostAhead, given * piece.length - taken);
    }
    expect(taken).toBe(": open\n\n".length + pieces * piece.length);
    expect(mostAhead).toBeLessThan(1 << 20);
  });

  it("lets a reader go that takes nothing, and does no more for it", async () => {
    let ended: unknown;
    const over = new Promise<void>((resolve) => {
      eventStream(
        never,
        async ({ sendBytes, signal }) => {
          while (!signal.aborted) await sendBytes(piece);
          ended = signal.aborted;
          resolve();
        },
        { silentMs: 20 },
      );
    });
    await over;
    expect(ended).toBe(true);
  });

  it("ends when the reader leaves", async () => {
    const over = new Promise<void>((resolve) => {
      const response = eventStream(never, async ({ sendBytes, signal }) => {
        while (!signal.aborted) await sendBytes(piece);
        resolve();
      });
      void response.body?.cancel();
    });
    await expect(over).resolves.toBeUndefined();
  });

  it("writes events as the standard has them", () => {
    const text = new TextDecoder().decode(encodeEvent({ event: "log", id: "1:7", data: { n: 7 } }));
    expect(text).toBe('id: 1:7\nevent: log\ndata: {"n":7}\n\n');
  });
});
