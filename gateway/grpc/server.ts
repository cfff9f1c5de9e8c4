import { fail } from "@/lib/common/errors";
import { file_health, file_inference, file_reflection } from "@/proto/inference";
import type { Service } from "../core";
import { Dispatcher } from "./dispatcher";
import { handlers } from "./handlers";
import { healthHandler, watchHealth } from "./health";
import { answerReflection } from "./reflection";
import type { Handler } from "./rpc";
import { type Method, startWireServer, type WireServer } from "./wire/server";

/** Where gRPC is answered, by which service, and within which limits. */
export interface GrpcServerOptions {
  readonly service: Service;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Bytes of one message. */
  readonly maxMessageBytes: number;
  /** Those above are closed at once. */
  readonly maxConnections: number;
  /** A connection without a call for so long ends. */
  readonly idleMs?: number | undefined;
}

/** Starts the V2 protocol over gRPC, with health and reflection beside it. */
export function startGrpcServer({ service, ...options }: GrpcServerOptions): Promise<WireServer> {
  const [inference] = file_inference.services;
  const [health] = file_health.services;
  const [reflection] = file_reflection.services;
  if (!inference || !health || !reflection) throw new TypeError("a service is missing");
  const dispatcher = new Dispatcher(service);
  const methods = new Map<string, Method>();
  for (const { name } of inference.methods) {
    const path = `/${inference.typeName}/${name}`;
    const isStream = name === "ModelStreamInfer";
    const method = isStream
      ? dispatcher.inferStream(name)
      : dispatcher.unary(name, handlers[name] ?? unsupported);
    methods.set(path, method);
  }
  methods.set(`/${health.typeName}/Check`, dispatcher.unary("Check", healthHandler));
  methods.set(`/${health.typeName}/Watch`, {
    kind: "stream",
    answer: (call) => watchHealth(service.readiness, call),
  });
  for (const version of ["v1", "v1alpha"]) {
    const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`;
    methods.set(path, { kind: "stream", answer: answerReflection });
  }
  return startWireServer({
    ...options,
    budget: service.budget,
    connections: service.connections,
    methods,
    onCut: (cause) => service.meter.countCut("grpc", cause),
  });
}

const unsupported: Handler = {
  action: null,
  read() {
    throw fail("EXTENSION_UNSUPPORTED", "this extension of the protocol is not supported");
  },
};
