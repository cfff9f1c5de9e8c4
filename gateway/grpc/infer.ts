import { randomUUID } from "node:crypto";
import type { Timing } from "@/lib/common/contract";
import type { InferRequest, InferResponse } from "@/lib/common/tensor";
import { inferHeaders } from "@/lib/server/board-protocol";
import { checkRequest, infer, type Service } from "../core";
import { heldByTensors, type Reservation } from "../intake";
import { callerOf, namesOf } from "./call";
import { type DecodedInfer, decodeInfer } from "./decode-infer";
import { encodeInfer } from "./encode-infer";
import type { GrpcCall } from "./wire/call";
import type { UnaryCall } from "./wire/server";

/** Typed contents above this are worth a look at the shapes first. */
const largeContentsBytes = 64 * 1024;

export interface InferAnswer {
  readonly request: InferRequest;
  readonly response: InferResponse;
  readonly timing: Timing;
}

/** One inference, unary or in a stream: model lookup first, then the tensors, then the core. */
export async function runInfer(
  service: Service,
  { model, version, typedBytes, heads, request }: DecodedInfer,
  { life, headers }: Pick<GrpcCall, "life" | "headers">,
  reservation: Reservation,
): Promise<InferAnswer> {
  service.readiness.check();
  const revision = service.routes.choose(model, namesOf(model, version));
  // Many elements are not read for a model that takes others.
  if (typedBytes > largeContentsBytes) {
    checkRequest(model, revision, { inputs: heads(), outputs: [] });
  }
  const reading = request((bytes, asked) => service.codec.contents(bytes, asked));
  const parsed = reading instanceof Promise ? await reading : reading;
  reservation.add(heldByTensors(parsed.inputs));
  const { outputs, timing } = await infer(model, revision, parsed, {
    schedulers: service.schedulers,
    traces: service.traces,
    traceparent: headers["traceparent"]?.toString(),
    life,
  });
  reservation.addAnyway(heldByTensors(outputs));
  const id = parsed.id === "" ? randomUUID() : parsed.id;
  return {
    request: parsed,
    response: { modelName: model, modelVersion: revision.version, id, outputs },
    timing,
  };
}

/** Answers a unary `ModelInfer`. */
export async function answerInfer(
  service: Service,
  { call, request: bytes, reservation }: UnaryCall,
): Promise<Uint8Array> {
  const start = performance.now();
  const decoded = decodeInfer(bytes);
  namesOf(decoded.model, decoded.version);
  const permitted = callerOf(service, call, "use", decoded.model);
  const caller = permitted instanceof Promise ? await permitted : permitted;
  const leave = service.inFlight.enter(`${caller.id} ${call.client}`);
  try {
    const { request, response, timing } = await runInfer(service, decoded, call, reservation);
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
