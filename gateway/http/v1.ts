import { parseV1Request, writeV1Response } from "@/lib/common/tensor";
import { infer } from "../core/infer";
import { readBody } from "./body";
import type { InferCall } from "./infer-call";
import { underWay } from "./under-way";

/** Answers a V1 predict request: the same inference in V1's words. */
export async function answerPredict(call: InferCall): Promise<void> {
  const { request, response, model, revision, service, maxBodyBytes } = call;
  const { life, leave } = underWay(call);
  try {
    const body = await readBody(request, maxBodyBytes);
    const inputs = parseV1Request(body, revision.inputs);
    const { outputs } = await infer(
      model,
      revision,
      { id: "", parameters: new Map(), inputs, outputs: [], binaryOutput: false },
      {
        schedulers: service.schedulers,
        traces: service.traces,
        traceparent: request.headers["traceparent"]?.toString(),
        life,
      },
    );
    const answer = writeV1Response(outputs);
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": answer.length,
    });
    response.end(answer);
  } finally {
    leave();
  }
}
