import { Socket } from "node:net";
import { InferenceSession, Tensor as OrtTensor } from "onnxruntime-node";
import { toAppError, toErrorData } from "@/lib/common/errors";
import type { Tensor } from "@/lib/common/tensor";
import { nowNs } from "../clock";
import { type Frame, readFrames, writeFrame } from "./frames";
import { fromOrt, toOrt } from "./ort-tensor";
import type { SessionAnswer, SessionRequest, SessionSettings } from "./session";

// The process of one session: whatever a model does to its memory, it does here.

let session: InferenceSession | null = null;
const board = new Socket({ fd: 3, readable: true, writable: true });
board.on("error", () => process.exit(1));
board.on("close", () => process.exit(0));

let previous: Promise<void> = Promise.resolve();
readFrames(board, (frame) => {
  previous = previous.then(() => answer(frame));
});

async function answer({ head, tensors }: Frame): Promise<void> {
  try {
    const request = head as SessionRequest;
    if (request.kind === "load") {
      session = await InferenceSession.create(request.path, optionsOf(request.settings));
      send({ ok: true, computeNs: 0 }, []);
      return;
    }
    const { outputs, computeNs } = await run(request.outputs, tensors);
    send({ ok: true, computeNs }, outputs);
  } catch (thrown) {
    const { cause } = toAppError(thrown);
    const words = cause instanceof Error ? (cause.stack ?? cause.message) : "";
    send({ ok: false, error: toErrorData(thrown), cause: words }, []);
  }
}

function send(head: SessionAnswer, tensors: readonly Tensor[]): void {
  writeFrame(board, { head, tensors });
}

function optionsOf({ threads, spin }: SessionSettings): InferenceSession.SessionOptions {
  return {
    executionProviders: ["cpu"],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableCpuMemArena: true,
    logSeverityLevel: 3,
    extra: { session: { intra_op: { allow_spinning: spin ? "1" : "0" } } },
  };
}

async function run(
  wanted: Extract<SessionRequest, { kind: "run" }>["outputs"],
  inputs: readonly Tensor[],
): Promise<{ outputs: Tensor[]; computeNs: number }> {
  if (!session) throw new Error("no model is loaded");
  const feeds: Record<string, OrtTensor> = {};
  for (const tensor of inputs) {
    const { type, data } = toOrt(tensor);
    // @ts-expect-error The library's overloads want each pair of type and array spelt out.
    feeds[tensor.name] = new OrtTensor(type, data, tensor.shape);
  }
  const start = nowNs();
  const results = await session.run(
    feeds,
    wanted.map(({ name }) => name),
  );
  const computeNs = nowNs() - start;
  const outputs = wanted.map((output) => {
    const result = results[output.name];
    if (!result) throw new Error(`the session gave no output '${output.name}'`);
    return fromOrt(output, result);
  });
  return { outputs, computeNs };
}
