import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { fail } from "@/lib/common/errors";
import { HealthCheckRequestSchema, HealthCheckResponseSchema } from "@/proto/inference";
import type { Readiness } from "../core";
import type { Handler } from "./rpc";
import type { GrpcCall } from "./wire/call";
import type { StreamCall } from "./wire/stream-call";

const status = { serving: 1, notServing: 2, unknownService: 3 } as const;
const services: ReadonlySet<string> = new Set(["", "inference.GRPCInferenceService"]);
const lookEveryMs = 250;

/** `grpc.health.v1.Health/Check`; services that are not ours are not found. */
export const healthHandler: Handler = {
  action: null,
  read(request) {
    const service = serviceOf(request);
    if (!services.has(service)) {
      throw fail("NOT_FOUND", `unknown service '${service.slice(0, 100)}'`);
    }
    return {
      names: null,
      answer: ({ service: { readiness } }) =>
        message(isServing(readiness) ? status.serving : status.notServing),
    };
  },
};

function serviceOf(request: Uint8Array): string {
  try {
    return fromBinary(HealthCheckRequestSchema, request).service;
  } catch (cause) {
    throw fail("INFER_INVALID", "the message is not a whole HealthCheckRequest", { cause });
  }
}

/** Answers `Watch`: what it is, and what it becomes, until the caller leaves. */
export function watchHealth(readiness: Readiness, { call, onMessage }: StreamCall): void {
  onMessage((request, reservation) => {
    reservation.close();
    try {
      watch(readiness, call, serviceOf(request));
    } catch (error) {
      call.fail(error);
    }
  });
}

function watch(readiness: Readiness, call: GrpcCall, service: string): void {
  let told = -1;
  const look = (): void => {
    const now = services.has(service)
      ? isServing(readiness)
        ? status.serving
        : status.notServing
      : status.unknownService;
    if (now !== told) call.write(message(now));
    told = now;
    if (readiness.draining) {
      clearInterval(timer);
      call.end();
    }
  };
  const timer = setInterval(look, lookEveryMs);
  call.life.onEnd(() => clearInterval(timer));
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
