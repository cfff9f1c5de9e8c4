import { describe, expect, it } from "vitest";
import { identityModules, renderTables, shellSource } from "@/boards";
import {
  encodeFrame,
  type Frame,
  FrameDecoder,
  frameKinds,
  type Identity,
  parseIdentity,
  parseResult,
} from "@/boards/links/uart";
import { type LineEvent, runIcarusLine } from "./support/icarus-line";
import { type TrialCore, trialCoreAnswer, trialCoreVerilog } from "./support/trial-core";

const idleBits = 11;

interface Trial {
  readonly core?: TrialCore;
  readonly clocksPerBit?: number;
  readonly events: readonly LineEvent[];
}

const small: TrialCore = { inputBytes: 5, outputBytes: 6 };

function identityOf(core: TrialCore): Identity {
  return {
    planDigest: `sha256:${"00ff1".padEnd(64, "7a")}`,
    core: { ...core, bytesPerOutput: 2 },
    input: { width: 8, fraction: -3 },
    output: { width: 16, fraction: 5 },
    clockHz: 48_000_000,
  };
}

/** The frames that a shell around the trial core answers; a byte outside any good frame fails the test. */
async function answers({ core = small, clocksPerBit = 8, events }: Trial): Promise<Frame[]> {
  const identity = identityOf(core);
  const sources = [
    shellSource(),
    identityModules(identity.core),
    renderTables(identity),
    trialCoreVerilog(core),
  ];
  const bytes = await runIcarusLine({ sources, clocksPerBit, idleBits, events });
  const decoder = new FrameDecoder();
  const frames = decoder.push(bytes);
  expect(decoder.dropped).toBe(0);
  return frames;
}

const request = (kind: number, sequence: number, payload: Uint8Array): Frame =>
  ({ kind, sequence, payload }) as Frame;
const infer = (sequence: number, ...payload: number[]) =>
  encodeFrame(request(frameKinds.infer, sequence, Uint8Array.from(payload)));
const identify = encodeFrame(request(frameKinds.identityRequest, 1, new Uint8Array(0)));
const error = (sequence: number, code: number): Frame =>
  request(frameKinds.error, sequence, Uint8Array.of(code));

/** An inference frame as the trial core would have it. */
function result(core: TrialCore, sequence: number, input: readonly number[]) {
  return { sequence, output: trialCoreAnswer(core, Uint8Array.from(input)) };
}
function read(core: TrialCore, frame: Frame | undefined) {
  expect(frame?.kind).toBe(frameKinds.result);
  const { output, cycles } = parseResult(frame?.payload ?? new Uint8Array(0), core.outputBytes);
  expect(cycles).toBeGreaterThanOrEqual(40);
  expect(cycles).toBeLessThanOrEqual(42);
  return { sequence: frame?.sequence, output };
}

describe("the shell in Icarus, bit by bit on its line", () => {
  it("says what it is", async () => {
    const [frame, ...more] = await answers({ events: [{ send: identify }] });
    expect(more).toEqual([]);
    expect(frame?.kind).toBe(frameKinds.identity);
    expect(parseIdentity(frame?.payload ?? new Uint8Array(0))).toEqual(identityOf(small));
  });

  it("answers an inference with the core's bytes, its cycles and the request's sequence number", async () => {
    const frames = await answers({ events: [{ send: infer(200, 1, 2, 3, 0, 255) }] });
    expect(frames.map((frame) => read(small, frame))).toEqual([
      result(small, 200, [1, 2, 3, 0, 255]),
    ]);
  });

  it("answers two frames sent without a pause, and a third after them", async () => {
    const events = [
      { send: infer(1, 1, 1, 1, 1, 1) },
      { send: infer(2, 2, 2, 2, 2, 2) },
      { pauseBits: 800 },
      { send: identify },
    ];
    const frames = await answers({ events });
    expect(frames).toHaveLength(3);
    expect(read(small, frames[0])).toEqual(result(small, 1, [1, 1, 1, 1, 1]));
    expect(read(small, frames[1])).toEqual(result(small, 2, [2, 2, 2, 2, 2]));
    expect(frames[2]?.kind).toBe(frameKinds.identity);
  });

  it("answers rightly whatever it answers under a burst of frames, and drops the rest", async () => {
    const inputs = Array.from({ length: 8 }, (_, i) => [i, 7 * i, 9, 200, i]);
    const events = inputs.map((input, i) => ({ send: infer(i, ...input) }));
    const frames = await answers({ events });
    expect(frames.length).toBeGreaterThanOrEqual(2);
    for (const frame of frames) {
      expect(read(small, frame)).toEqual(
        result(small, frame.sequence, inputs[frame.sequence] ?? []),
      );
    }
  });

  it("drops a frame in which any one byte is garbled, and answers the next", async () => {
    const good = infer(3, 10, 20, 0, 40, 50);
    for (const place of good.slice(0, -1).keys()) {
      const bad = infer(2, 1, 2, 0, 4, 5);
      bad[place] = bad[place] === 0x5a ? 0xa5 : 0x5a;
      const frames = await answers({ events: [{ send: bad }, { send: good }] });
      expect(frames.map((frame) => read(small, frame))).toEqual([
        result(small, 3, [10, 20, 0, 40, 50]),
      ]);
    }
  });

  it.each([
    { why: "after a zero", between: [{ send: Uint8Array.of(0) }] },
    { why: "after a silent line", between: [{ pauseBits: 260 }] },
  ])("forgets a frame that is cut off $why", async ({ between }) => {
    const events = [{ send: infer(2, 1, 2, 3, 4, 5).subarray(0, 7) }, ...between];
    const frames = await answers({ events: [...events, { send: infer(4, 9, 9, 9, 9, 9) }] });
    expect(frames.map((frame) => read(small, frame))).toEqual([result(small, 4, [9, 9, 9, 9, 9])]);
  });

  it("keeps half a frame over a short pause", async () => {
    const frame = infer(5, 5, 4, 3, 2, 1);
    const events = [
      { send: frame.subarray(0, 6) },
      { pauseBits: 100 },
      { send: frame.subarray(6) },
    ];
    const frames = await answers({ events });
    expect(frames.map((each) => read(small, each))).toEqual([result(small, 5, [5, 4, 3, 2, 1])]);
  });

  it("drops a frame with a missing stop bit in it", async () => {
    const frame = infer(5, 5, 4, 3, 2, 1);
    const [first = 0, ...rest] = frame;
    const events = [
      { broken: first },
      { send: Uint8Array.from(rest) },
      { send: infer(6, 1, 0, 0, 0, 0) },
    ];
    const frames = await answers({ events });
    expect(frames.map((each) => read(small, each))).toEqual([result(small, 6, [1, 0, 0, 0, 0])]);
  });

  it("answers a good frame after noise, glitches and empty frames", async () => {
    const noise = Uint8Array.from({ length: 60 }, (_, i) => (i * 167 + 13) % 256);
    const events = [
      { glitch: true },
      { send: noise },
      { broken: 0x3c },
      { send: Uint8Array.of(0, 0, 0) },
      { glitch: true },
      { send: infer(7, 1, 2, 3, 4, 5) },
    ] as const;
    const frames = await answers({ events });
    expect(frames.map((frame) => read(small, frame))).toEqual([result(small, 7, [1, 2, 3, 4, 5])]);
  });

  it.each([
    { why: "an unknown kind", frame: encodeFrame(request(9, 11, new Uint8Array(5))), code: 2 },
    {
      why: "an answer sent to a board",
      frame: encodeFrame(request(4, 11, new Uint8Array(5))),
      code: 2,
    },
    { why: "a row too short", frame: infer(11, 1, 2), code: 3 },
    { why: "a row too long", frame: infer(11, ...new Uint8Array(40)), code: 3 },
    { why: "an empty row", frame: infer(11), code: 3 },
    {
      why: "an identity request with a payload",
      frame: encodeFrame(request(1, 11, new Uint8Array(3))),
      code: 3,
    },
    { why: "another version", frame: encodeFrame(request(0x33, 11, new Uint8Array(5))), code: 1 },
  ])("answers $why with an error, then goes on", async ({ frame, code }) => {
    const events = [{ send: frame }, { pauseBits: 200 }, { send: infer(12, 1, 1, 1, 1, 1) }];
    const frames = await answers({ events });
    expect(frames[0]).toEqual(error(11, code));
    expect(read(small, frames[1])).toEqual(result(small, 12, [1, 1, 1, 1, 1]));
  });

  it.each([
    { why: "one byte each way", inputBytes: 1, outputBytes: 1 },
    { why: "a row of 64", inputBytes: 64, outputBytes: 20 },
    { why: "blocks of COBS on both ways", inputBytes: 300, outputBytes: 260 },
    { why: "blocks full to the byte", inputBytes: 250, outputBytes: 508 },
  ])("carries $why", async ({ inputBytes, outputBytes }) => {
    const core = { inputBytes, outputBytes };
    const input = Array.from({ length: inputBytes }, (_, i) => (i % 251) + 1);
    const frames = await answers({ core, events: [{ send: infer(1, ...input) }] });
    expect(frames.map((frame) => read(core, frame))).toEqual([result(core, 1, input)]);
  });

  it.each([4, 12, 13, 48])("listens and speaks at %d clocks a bit", async (clocksPerBit) => {
    const frames = await answers({ clocksPerBit, events: [{ send: infer(9, 5, 0, 7, 0, 9) }] });
    expect(frames.map((frame) => read(small, frame))).toEqual([result(small, 9, [5, 0, 7, 0, 9])]);
  });
});
