import { randomUUID } from "node:crypto";
import { Metadata } from "@grpc/grpc-js";
import type { Timing } from "@/lib/common/contract";
import type { InferRequest, InferResponse } from "@/lib/common/tensor";
import { inferHeaders } from "@/lib/server/board-protocol";
import { infer } from "../core/infer";
import type { Life } from "../core/life";
import type { Service } from "../core/service";
import { callerOf, lifeOf, namesOf, type UnaryCall } from "./call";
import { type DecodedInfer, decodeInfer } from "./decode-infer";
import { encodeInfer } from "./encode-infer";

export interface InferAnswer {
  readonly request: InferRequest;
  readonly response: InferResponse;
  readonly timing: Timing;
}

/** One inference, unary or in a stream: model lookup first, then the tensors, then the core. */
export async function runInfer(
  service: Service,
  { model, version, request }: DecodedInfer,
  { life, metadata }: { readonly life: Life; readonly metadata: Metadata },
): Promise<InferAnswer> {
  service.readiness.check();
  const revision = service.routes.choose(model, namesOf(model, version));
  const parsed = request();
  const { outputs, timing } = await infer(model, revision, parsed, {
    schedulers: service.schedulers,
    traces: service.traces,
    traceparent: metadata.get("traceparent")[0]?.toString(),
    life,
  });
  const id = parsed.id === "" ? randomUUID() : parsed.id;
  return {
    request: parsed,
    response: { modelName: model, modelVersion: revision.version, id, outputs },
    timing,
  };
}

/** Answers a unary `ModelInfer`. */
export async function answerInfer(service: Service, call: UnaryCall): Promise<Uint8Array> {
  const start = performance.now();
  const decoded = decodeInfer(call.request);
  namesOf(decoded.model, decoded.version);
  const caller = await callerOf(service, call.metadata, "use", decoded.model);
  const leave = service.inFlight.enter(`${caller.id} ${call.getPeer()}`);
  const { life, settled } = lifeOf(call);
  try {
    const { request, response, timing } = await runInfer(service, decoded, {
      life,
      metadata: call.metadata,
    });
    const answer = encodeInfer(response, request);
    if (call.metadata.get(inferHeaders.timing).length > 0) {
      const metadata = new Metadata();
      const gatewayNs = Math.round((performance.now() - start) * 1e6);
      metadata.set(inferHeaders.timing, JSON.stringify({ ...timing, gatewayNs }));
      call.sendMetadata(metadata);
    }
    return answer;
  } finally {
    settled();
    leave();
  }
}
