import { createRequire } from "node:module";
import { InferenceSession, Tensor as OrtTensor } from "onnxruntime-node";
import { exportOnnx, type Graph, runnableOnnx } from "@/engines";
import { fail } from "@/lib/common/errors";
import { fromOrt, judgeOptions, toOrt } from "@/lib/common/onnx-runtime";
import { joinMessage, parseInferRequest, writeInferResponse } from "@/lib/common/tensor";
import { answerThread } from "@/lib/server/process";

/** A model as it was read, and a V2 request for it. */
export interface FloatAnswerTask {
  readonly bytes: Uint8Array;
  readonly graph: Graph;
  readonly format: string;
  readonly request: string;
}

/** JSON of V2, and the time that the run itself took. */
export interface RunAnswer {
  readonly answer: string;
  readonly runtime: string;
  readonly runNs: number;
}

answerThread(async ({ bytes, graph, format, request }: FloatAnswerTask): Promise<RunAnswer> => {
  const { inputs } = parseInferRequest(new TextEncoder().encode(request));
  const model = format === "onnx" ? runnableOnnx(bytes, graph) : exportOnnx(graph);
  const session = await InferenceSession.create(model, judgeOptions).catch((cause: unknown) => {
    throw fail("MODEL_INVALID", "ONNX Runtime cannot load the model.", { cause });
  });
  try {
    const feeds = inputs.map((tensor) => {
      const { type, data } = toOrt(tensor);
      // @ts-expect-error The library's overloads want each pair of type and array spelt out.
      return [tensor.name, new OrtTensor(type, data, tensor.shape)] as const;
    });
    const start = performance.now();
    const results = await session.run(Object.fromEntries(feeds)).catch((cause: unknown) => {
      throw fail("INFER_INVALID", "ONNX Runtime cannot run the model on this request.", {
        cause,
        hint: "Names, datatypes and shapes must be those of the model.",
      });
    });
    const runNs = Math.round((performance.now() - start) * 1e6);
    const outputs = graph.outputs.flatMap((spec) => {
      const result = results[spec.name];
      return result ? [fromOrt(spec, result)] : [];
    });
    const response = { modelName: "", modelVersion: "", id: "", outputs };
    const message = writeInferResponse(response, { outputs: [], binaryOutput: false });
    const answer = new TextDecoder().decode(joinMessage(message).body);
    return { answer, runtime: `ONNX Runtime ${runtimeVersion()}`, runNs };
  } finally {
    await session.release();
  }
});

function runtimeVersion(): string {
  const { version } = createRequire(import.meta.url)("onnxruntime-node/package.json") as {
    readonly version: string;
  };
  return version;
}
