import { InferenceSession, Tensor as OrtTensor } from "onnxruntime-node";
import { answerThread } from "@/lib/server/process";
import { nowNs } from "../clock";
import { fromOrt, toOrt } from "./ort-tensor";
import type { SessionAnswer, SessionRequest } from "./session";

// One core per slot: slots are the unit of parallel work, not the model's operators.
const options: InferenceSession.SessionOptions = {
  executionProviders: ["cpu"],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  enableCpuMemArena: true,
};

let session: InferenceSession | null = null;

answerThread<SessionRequest, SessionAnswer | null>(async (request) => {
  if (request.kind === "load") {
    session = await InferenceSession.create(request.path, options);
    return null;
  }
  if (!session) throw new Error("no model is loaded");
  const feeds: Record<string, OrtTensor> = {};
  for (const tensor of request.inputs) {
    const { type, data } = toOrt(tensor);
    // @ts-expect-error The library's overloads want each pair of type and array spelt out.
    feeds[tensor.name] = new OrtTensor(type, data, tensor.shape);
  }
  const start = nowNs();
  const results = await session.run(
    feeds,
    request.outputs.map(({ name }) => name),
  );
  const computeNs = nowNs() - start;
  return {
    computeNs,
    outputs: request.outputs.map((output) => {
      const result = results[output.name];
      if (!result) throw new Error(`the session gave no output '${output.name}'`);
      return fromOrt(output, result);
    }),
  };
});
