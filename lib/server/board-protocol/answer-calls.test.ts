import { Duplex } from "node:stream";
import { describe, expect, it } from "vitest";
import { fail } from "@/lib/common/errors";
import type { Tensor } from "@/lib/common/tensor";
import { type AnsweredCall, answerCalls } from "./answer-calls";
import { type Frame, readFrames, writeFrame } from "./frames";

/** Two streams, each of which reads what is written to the other. */
function pair(): [Duplex, Duplex] {
  const ends: Duplex[] = [];
  const end = (other: number) =>
    new Duplex({
      read() {},
      write(chunk, _, done) {
        ends[other]?.push(chunk);
        done();
      },
      final(done) {
        ends[other]?.push(null);
        done();
      },
    });
  const [first, second] = [end(1), end(0)];
  ends.push(first, second);
  return [first, second];
}

const row: Tensor = { name: "x", datatype: "FP32", shape: [1], data: Float32Array.of(1) };
const call = (id: number) => ({ id, slotId: "s", revisionId: "r", slotEpoch: 1, waitMs: 5 });

/** Calls that wait until they are let go, and what came back for them. */
function conversation() {
  const [ours, theirs] = pair();
  const signals: AbortSignal[] = [];
  const letGo: ((answer: AnsweredCall) => void)[] = [];
  const heads: Frame["head"][] = [];
  const stream = answerCalls(ours, (_, inputs, signal) => {
    signals.push(signal);
    return new Promise((resolve, reject) => {
      letGo.push(() => resolve({ revisionId: "r", timing: {}, outputs: inputs }));
      signal.addEventListener("abort", () => reject(fail("CANCELLED", "gone")));
    });
  });
  readFrames(theirs, ({ head }) => heads.push(head));
  const ask = (head: unknown) => writeFrame(theirs, head, [{ ...row, parts: [row.data] }]);
  return { ours, theirs, stream, signals, letGo, heads, ask };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("calls on one stream", () => {
  it("are under way together, and answered as they end", async () => {
    const { ask, letGo, heads } = conversation();
    for (const id of [1, 2]) ask(call(id));
    ask({ ping: 7 });
    await settle();
    for (const go of letGo.toReversed()) go({} as AnsweredCall);
    await settle();
    expect(heads).toMatchObject([{ pong: 7 }, { id: 2, ok: true }, { id: 1, ok: true }]);
  });

  it("are given up one by one, and all when the stream closes", async () => {
    const { ask, signals, theirs, ours, heads } = conversation();
    for (const id of [1, 2, 3]) ask(call(id));
    ask({ cancel: 2 });
    await settle();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true, false]);
    expect(heads).toMatchObject([{ id: 2, ok: false, reason: "CANCELLED" }]);
    ours.destroy();
    theirs.destroy();
    await settle();
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });

  it("end when the other side leaves, what comes then having never begun", async () => {
    const { ask, letGo, heads, stream, ours, theirs } = conversation();
    ask(call(1));
    await settle();
    const closing = stream.close();
    ask(call(2));
    await settle();
    expect(heads).toMatchObject([
      { leaving: true },
      { id: 2, ok: false, reason: "REVISION_MISMATCH" },
    ]);
    letGo[0]?.({} as AnsweredCall);
    await settle();
    expect(heads[2]).toMatchObject({ id: 1, ok: true });
    expect(letGo).toHaveLength(1);
    expect(ours.destroyed).toBe(false);
    theirs.end();
    await closing;
    expect(ours.destroyed).toBe(true);
  });

  it("end though the other side never closes", async () => {
    const { stream, ours } = conversation();
    await stream.close();
    expect(ours.destroyed).toBe(true);
  });

  it.each([
    ["null", null],
    ["a text", "call"],
    ["a call without a slot", { ...call(1), slotId: undefined }],
    ["a call whose number is none", { ...call(1), id: -1 }],
    ["a call of no epoch", { ...call(1), slotEpoch: "1" }],
  ])("end with the stream at %s", async (_, head) => {
    const { ask, ours, signals } = conversation();
    ask(head);
    await settle();
    expect(ours.destroyed).toBe(true);
    expect(signals).toEqual([]);
  });
});
