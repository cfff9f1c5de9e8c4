import type { DescService } from "@bufbuild/protobuf";
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { fail } from "@/lib/common/errors";
import { file_health, file_inference, file_reflection } from "@/proto/inference";
import type { Service } from "../core/service";
import { unaryHandlers } from "./handlers";
import { checkHealth, watchHealth } from "./health";
import { answerReflection } from "./reflection";
import { statusOf } from "./status";
import { answerStream } from "./stream";

export interface GrpcServerOptions {
  readonly service: Service;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Bytes of one message. */
  readonly maxMessageBytes: number;
}

export interface GrpcServer {
  readonly port: number;
  /** Lets running calls end, for a while, and closes. */
  close(): Promise<void>;
}

/** Running calls may take so long to end when the server leaves. */
const drainMs = 10_000;

type Duplex = ServerDuplexStream<Buffer, Uint8Array>;

/** Starts the V2 protocol over gRPC, with health and reflection beside it. */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { service, host, port, maxMessageBytes } = options;
  const server = new Server({
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_send_message_length": -1,
    "grpc.max_concurrent_streams": 1000,
  });
  const [inference] = file_inference.services;
  const [health] = file_health.services;
  const [reflection] = file_reflection.services;
  if (!inference || !health || !reflection) throw new TypeError("a service is missing");
  server.addService(definitionOf(inference), inferenceOf(inference, service));
  server.addService(definitionOf(health), {
    Check: unary("Check", service, (_, call) => checkHealth(service.readiness, call.request)),
    Watch: watchHealth(service.readiness),
  });
  for (const name of ["grpc.reflection.v1", "grpc.reflection.v1alpha"]) {
    server.addService(definitionOf(reflection, `${name}.ServerReflection`), {
      ServerReflectionInfo: answerReflection,
    });
  }
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, ServerCredentials.createInsecure(), (error, found) =>
      error ? reject(error) : resolve(found),
    );
  });
  return {
    port: bound,
    close: () =>
      new Promise((resolve) => {
        const hurry = setTimeout(() => server.forceShutdown(), drainMs);
        server.tryShutdown(() => {
          clearTimeout(hurry);
          resolve();
        });
      }),
  };
}

/** Messages stay bytes: each call reads and writes its own, so that what is wrong with them is told in words. */
function definitionOf(desc: DescService, typeName = desc.typeName): ServiceDefinition {
  const asIs = (bytes: Buffer): Buffer => bytes;
  const asBuffer = (bytes: Uint8Array): Buffer =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Object.fromEntries(
    desc.methods.map(({ name, methodKind }) => [
      name,
      {
        path: `/${typeName}/${name}`,
        requestStream: methodKind === "bidi_streaming" || methodKind === "client_streaming",
        responseStream: methodKind === "bidi_streaming" || methodKind === "server_streaming",
        requestSerialize: asBuffer,
        requestDeserialize: asIs,
        responseSerialize: asBuffer,
        responseDeserialize: asIs,
      },
    ]),
  );
}

function inferenceOf(desc: DescService, service: Service): UntypedServiceImplementation {
  const implementation: UntypedServiceImplementation = {};
  for (const { name } of desc.methods) {
    const handler = unaryHandlers[name] ?? unsupported;
    implementation[name] =
      name === "ModelStreamInfer"
        ? (stream: Duplex) => answerStream(service, stream)
        : unary(name, service, handler);
  }
  return implementation;
}

const unsupported = (): never => {
  throw fail("EXTENSION_UNSUPPORTED", "this extension of the protocol is not supported");
};

function unary(
  rpc: string,
  service: Service,
  handler: (typeof unaryHandlers)[string],
): handleUnaryCall<Buffer, Uint8Array> {
  return async (call, callback) => {
    const start = performance.now();
    let code = 0;
    try {
      callback(null, await handler(service, call));
    } catch (thrown) {
      const status = statusOf(thrown);
      code = status.code;
      callback(status);
    }
    const seconds = (performance.now() - start) / 1000;
    service.meter.countGrpc({ rpc, model: null, code, seconds });
  };
}
