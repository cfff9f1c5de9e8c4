import { randomUUID } from "node:crypto";
import type { Timing } from "@/lib/common/contract";
import type { InferRequest, InferResponse } from "@/lib/common/tensor";
import { inferHeaders } from "@/lib/server/board-protocol";
import { checkRequest, chooseReady, infer, type Names } from "../core";
import { heldByTensors } from "../intake";
import { type DecodedInfer, decodeInfer } from "./decode-infer";
import { encodeInfer } from "./encode-infer";
import { namesOf } from "./names";
import type { Handler, RpcCall } from "./rpc";
import type { GrpcCall } from "./wire/call";

/** Typed contents above this are worth a look at the shapes first. */
const largeContentsBytes = 64 * 1024;

/** An answered inference, before it is written as a message. */
export interface InferAnswer {
  readonly request: InferRequest;
  readonly response: InferResponse;
  readonly timing: Timing;
}

/** An inference that is asked for: what it names, and how its tensors are read. */
export interface InferQuestion extends Pick<DecodedInfer, "typedBytes" | "heads" | "request"> {
  readonly names: Names;
}

/** Who asks, alone or in a stream. */
interface InferringCall extends Pick<RpcCall, "service" | "caller" | "reservation" | "asked"> {
  readonly call: Pick<GrpcCall, "life" | "headers">;
}

/** One inference, unary or in a stream: model lookup first, then the tensors, then the core. */
export async function runInfer(
  { service, call: { life, headers }, caller, reservation, asked }: InferringCall,
  { names, typedBytes, heads, request }: InferQuestion,
): Promise<InferAnswer> {
  const { model } = names;
  const chosen = chooseReady(service, names, asked);
  // Many elements are not read for a model that takes others.
  if (typedBytes > largeContentsBytes) {
    checkRequest(model, chosen, { inputs: heads(), outputs: [] });
  }
  const reading = request((bytes, asked) => service.codec.contents(bytes, asked));
  const parsed = reading instanceof Promise ? await reading : reading;
  reservation.add(heldByTensors(parsed.inputs));
  const { outputs, timing, revision } = await infer(names, chosen, parsed, {
    service,
    traceparent: headers["traceparent"]?.toString(),
    life,
    caller,
    asked,
  });
  reservation.addAnyway(heldByTensors(outputs));
  const id = parsed.id === "" ? randomUUID() : parsed.id;
  if (asked) asked.requestId = id;
  return {
    request: parsed,
    response: { modelName: model, modelVersion: revision.version, id, outputs },
    timing,
  };
}

/** The unary `ModelInfer`. */
export const inferHandler: Handler = {
  action: "use",
  read(bytes) {
    const start = performance.now();
    const decoded = decodeInfer(bytes);
    const names = namesOf(decoded.model, decoded.version);
    const question = Object.assign(decoded, { names });
    return {
      names,
      async answer(call) {
        const answered = await answerInfer(call, question, start);
        call.service.meter.countBytes(bytes.length, answered.length);
        return answered;
      },
    };
  },
};

async function answerInfer(
  rpcCall: RpcCall,
  question: InferQuestion,
  start: number,
): Promise<Uint8Array> {
  const { service, call, caller, reservation } = rpcCall;
  const leave = service.inFlight.enter(`${caller.id} ${call.client}`);
  try {
    const { request, response, timing } = await runInfer(rpcCall, question);
    const encoded = encodeInfer(response, request, (tensor) => service.codec.writeContents(tensor));
    const answer = encoded instanceof Promise ? await encoded : encoded;
    reservation.addAnyway(answer.length);
    if (call.headers[inferHeaders.timing] !== undefined) {
      const gatewayNs = Math.round((performance.now() - start) * 1e6);
      call.answerHeaders[inferHeaders.timing] = JSON.stringify({ ...timing, gatewayNs });
    }
    return answer;
  } finally {
    leave();
  }
}
