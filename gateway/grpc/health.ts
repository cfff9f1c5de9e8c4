import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { ServerWritableStream } from "@grpc/grpc-js";
import { fail } from "@/lib/common/errors";
import { HealthCheckRequestSchema, HealthCheckResponseSchema } from "@/proto/inference";
import type { Readiness } from "../core/readiness";

const status = { serving: 1, notServing: 2, unknownService: 3 } as const;
const services: ReadonlySet<string> = new Set(["", "inference.GRPCInferenceService"]);
const lookEveryMs = 250;

/** Answers `grpc.health.v1.Health/Check`. @throws {AppError} `NOT_FOUND` for a service that is not ours. */
export function checkHealth(readiness: Readiness, request: Uint8Array): Uint8Array {
  const { service } = fromBinary(HealthCheckRequestSchema, request);
  if (!services.has(service)) throw fail("NOT_FOUND", `unknown service '${service.slice(0, 100)}'`);
  return message(isServing(readiness) ? status.serving : status.notServing);
}

/** Answers `Watch`: what it is, and what it becomes, until the caller leaves. */
export function watchHealth(readiness: Readiness) {
  return (stream: ServerWritableStream<Buffer, Uint8Array>): void => watch(readiness, stream);
}

function watch(readiness: Readiness, stream: ServerWritableStream<Buffer, Uint8Array>): void {
  const { service } = fromBinary(HealthCheckRequestSchema, stream.request);
  let told = -1;
  const look = (): void => {
    const now = services.has(service)
      ? isServing(readiness)
        ? status.serving
        : status.notServing
      : status.unknownService;
    if (now !== told) stream.write(message(now));
    told = now;
    if (readiness.draining) {
      clearInterval(timer);
      stream.end();
    }
  };
  const timer = setInterval(look, lookEveryMs);
  stream.on("cancelled", () => clearInterval(timer));
  look();
}

function isServing(readiness: Readiness): boolean {
  try {
    readiness.check();
    return true;
  } catch {
    return false;
  }
}

const message = (value: number): Uint8Array =>
  toBinary(HealthCheckResponseSchema, create(HealthCheckResponseSchema, { status: value }));
