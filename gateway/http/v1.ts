import { infer } from "../core";
import { heldByTensors } from "../intake";
import { readBody } from "./body";
import type { InferCall } from "./infer-call";
import { underWay } from "./under-way";

/** Answers a V1 predict request: the same inference in V1's words. */
export async function answerPredict(call: InferCall): Promise<void> {
  const { request, response, model, version, revision, service } = call;
  const { caller, maxBodyBytes, reservation, asked } = call;
  const { life, leave } = underWay(call);
  try {
    const body = await readBody(request, { maxBytes: maxBodyBytes, reservation });
    const inputs = await service.codec.parseV1(body, revision.inputs);
    reservation.add(heldByTensors(inputs));
    const { outputs } = await infer(
      { model, version },
      revision,
      { id: "", parameters: new Map(), inputs, outputs: [], binaryOutput: false },
      {
        service,
        traceparent: request.headers["traceparent"]?.toString(),
        life,
        caller,
        asked,
      },
    );
    const answer = await service.codec.writeV1(outputs);
    reservation.addAnyway(heldByTensors(outputs) + answer.length);
    service.meter.countBytes(body.length, answer.length);
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": answer.length,
    });
    response.end(answer);
  } finally {
    leave();
  }
}
