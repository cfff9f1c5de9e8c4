import { fail } from "@/lib/common/errors";
import { file_health, file_inference, file_reflection } from "@/proto/inference";
import type { Service } from "../core";
import { type UnaryHandler, unaryHandlers } from "./handlers";
import { checkHealth, watchHealth } from "./health";
import { answerReflection } from "./reflection";
import { answerStream } from "./stream";
import { type Method, startWireServer, type WireServer } from "./wire/server";

export interface GrpcServerOptions {
  readonly service: Service;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Bytes of one message. */
  readonly maxMessageBytes: number;
  /** A connection without a call for so long ends. */
  readonly idleMs?: number | undefined;
}

/** Starts the V2 protocol over gRPC, with health and reflection beside it. */
export function startGrpcServer({ service, ...options }: GrpcServerOptions): Promise<WireServer> {
  const [inference] = file_inference.services;
  const [health] = file_health.services;
  const [reflection] = file_reflection.services;
  if (!inference || !health || !reflection) throw new TypeError("a service is missing");
  const methods = new Map<string, Method>();
  for (const { name } of inference.methods) {
    const path = `/${inference.typeName}/${name}`;
    if (name === "ModelStreamInfer") {
      methods.set(path, { kind: "stream", answer: (call) => answerStream(service, call) });
    } else methods.set(path, unary(name, service, unaryHandlers[name] ?? unsupported));
  }
  methods.set(
    `/${health.typeName}/Check`,
    unary("Check", service, (_, { request }) => checkHealth(service.readiness, request)),
  );
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

const unsupported = (): never => {
  throw fail("EXTENSION_UNSUPPORTED", "this extension of the protocol is not supported");
};

function unary(rpc: string, service: Service, handler: UnaryHandler): Method {
  const answer: Extract<Method, { kind: "unary" }>["answer"] = async (asked) => {
    const start = performance.now();
    let code = 0;
    try {
      asked.call.end(await handler(service, asked));
    } catch (thrown) {
      code = asked.call.fail(thrown);
    }
    const seconds = (performance.now() - start) / 1000;
    service.meter.countGrpc({ rpc, model: null, code, seconds });
  };
  return { kind: "unary", answer };
}
