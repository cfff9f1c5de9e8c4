import { Socket } from "node:net";
import { InferenceSession, Tensor as OrtTensor } from "onnxruntime-node";
import { AppError, fail, isAppError, toAppError, toErrorData } from "@/lib/common/errors";
import { faithfulRewriting, fromOrt, toOrt } from "@/lib/common/onnx-runtime";
import type { Tensor } from "@/lib/common/tensor";
import { type Frame, partsOf, readFrames, writeFrame } from "@/lib/server/board-protocol";
import { nowNs } from "../clock";
import { memoryStatus, slotMemory } from "../memory";
import { type ServedSlot, serveSlot } from "../serve-slot";
import { SlotQueue } from "../slot-queue";
import type { SessionAnswer, SessionRequest, SessionSettings } from "./session";

// The process of one session: whatever a model does to its memory, it does here. The board server asks through a pipe;
// gateways of this host may ask on a socket of the model's own, which spares them the way through the board server.

type Load = Extract<SessionRequest, { kind: "load" }>;

const memoryEveryMs = 100;
/** Time for the last answers to leave. */
const lastWordsMs = 200;
let session: InferenceSession | null = null;
let served: ServedSlot | null = null;
let outputs: Load["outputs"] = [];
/** One call at a time: a session spreads a call over its threads by itself. */
const turns = new SlotQueue(1);
let left = false;
let memoryBytes = 0;
/** Why there are no more calls: the memory that the model took. */
let overflow: AppError | null = null;
/** Ends what is under way. */
let giveUp = (_: AppError): void => {};

const board = new Socket({ fd: 3, readable: true, writable: true });
board.on("error", () => process.exit(1));
board.on("close", () => process.exit(0));

let previous: Promise<void> = Promise.resolve();
readFrames(board, (frame) => {
  previous = previous.then(() => answer(frame));
});

async function answer({ head, tensors }: Frame): Promise<void> {
  const request = head as SessionRequest;
  try {
    if (request.kind === "load") await load(request);
    if (request.kind === "leave") await leave();
    if (request.kind !== "run") {
      send({ ok: true, computeNs: 0 }, []);
      return;
    }
    const forever = { waitMs: 2 ** 31 - 1, signal: new AbortController().signal };
    const answered = await turns.run(() => run(tensors), forever);
    send({ ok: true, computeNs: answered.computeNs }, answered.outputs);
  } catch (thrown) {
    const { cause } = toAppError(thrown);
    const words = cause instanceof Error ? (cause.stack ?? cause.message) : "";
    send({ ok: false, error: toErrorData(thrown), cause: words }, []);
  }
}

function send(head: SessionAnswer, tensors: readonly Tensor[]): void {
  writeFrame(board, head, partsOf(tensors));
}

async function load(request: Load): Promise<void> {
  watchMemory(request.memoryLimitBytes);
  session = await unlessOverflow(
    InferenceSession.create(request.path, optionsOf(request.settings)),
  );
  ({ outputs } = request);
  if (request.direct) served = await serveSlot(request.direct, inferDirectly, turns);
}

/** Computing happens on other threads: this one can see the memory grow, and say so before the process ends. */
function watchMemory(limitBytes: number): void {
  setInterval(() => {
    memoryBytes = process.memoryUsage.rss();
    if (memoryBytes <= limitBytes) return;
    left = true;
    overflow = slotMemory(limitBytes);
    giveUp(overflow);
    setTimeout(() => process.exit(memoryStatus), lastWordsMs);
  }, memoryEveryMs);
}

/**
 * What this work gives, or the overflow that comes first. One work at a time. No race with one promise for all: that would keep
 * the outputs of each call until the process ends.
 */
function unlessOverflow<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    giveUp = reject;
    if (overflow) reject(overflow);
    work.then(resolve, reject);
  });
}

/** One call of the slot on its own socket. */
async function inferDirectly(inputs: readonly Tensor[]) {
  if (left) throw fail("REVISION_MISMATCH", "The model is leaving its slot.");
  const start = nowNs();
  const { outputs: answered, computeNs } = await run(inputs);
  const hostNs = Math.max(0, nowNs() - start - computeNs);
  return { outputs: answered, timing: { hostNs, computeNs }, memoryBytes };
}

async function leave(): Promise<void> {
  left = true;
  if (served) await served.leave();
  else await turns.close(fail("REVISION_MISMATCH", "The model is being unloaded."));
}

function optionsOf({ threads, spin }: SessionSettings): InferenceSession.SessionOptions {
  return {
    executionProviders: ["cpu"],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableCpuMemArena: true,
    // What is wrong with a request is told to its caller.
    logSeverityLevel: 4,
    extra: { ...faithfulRewriting, session: { intra_op: { allow_spinning: spin ? "1" : "0" } } },
  };
}

async function run(inputs: readonly Tensor[]): Promise<{ outputs: Tensor[]; computeNs: number }> {
  if (!session) throw new Error("no model is loaded");
  const feeds: Record<string, OrtTensor> = {};
  for (const tensor of inputs) {
    const { type, data } = toOrt(tensor);
    // @ts-expect-error The library's overloads want each pair of type and array spelt out.
    feeds[tensor.name] = new OrtTensor(type, data, tensor.shape);
  }
  const start = nowNs();
  const names = outputs.map(({ name }) => name);
  const results = await unlessOverflow(session.run(feeds, names)).catch((error: unknown) => {
    if (isAppError(error)) throw error;
    throw new AppError("internal", "The model failed on this request.", {
      reason: "INTERNAL",
      cause: error,
    });
  });
  const computeNs = nowNs() - start;
  return {
    computeNs,
    outputs: outputs.map((output) => {
      const result = results[output.name];
      if (!result) throw new Error(`the session gave no output '${output.name}'`);
      return fromOrt(output, result);
    }),
  };
}
