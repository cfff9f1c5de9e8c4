import { decodeInfer } from "@/gateway/grpc/decode-infer";
import { encodeInfer } from "@/gateway/grpc/encode-infer";
import type { InferRequest } from "@/lib/common/tensor";
import { grpcRequestOf } from "./grpc-load";

/** A `ModelInfer` whose answer no model makes: what is left is what carries it. */
export interface TransportCall {
  readonly what: string;
  /** A `ModelInferRequest`. */
  readonly message: Uint8Array;
  /** The `ModelInferResponse`. */
  readonly answer: (message: Uint8Array) => Uint8Array;
}

const model = "iris-mlp";
const rowWidth = 4;
const classes = 3;
/** As much as fits in the window that a stream begins with, which not every server can make larger. */
const largeValues = 16_000;

const small = grpcRequestOf(model, "features", [5.1, 3.5, 1.4, 0.2].map(Math.fround));
const large = grpcRequestOf(model, "features", valuesOf(largeValues), rowWidth);
const smallAnswer = answerOf(requestOf(small), classes);
const largeAnswer = answerOf(requestOf(large), largeValues);

/** The calls by which transports are compared, by the word that chooses one. */
export const transportCalls: Readonly<Record<string, TransportCall>> = {
  small: {
    what: "4 values in, 3 out, the answer prepared",
    message: small,
    answer: () => smallAnswer,
  },
  large: {
    what: "64,000 bytes in and out, the answer prepared",
    message: large,
    answer: () => largeAnswer,
  },
  read: {
    what: "4 values in, 3 out, the request read and the answer written by our codec",
    message: small,
    answer: (message) => answerOf(requestOf(message), classes),
  },
};

/** @throws {Error} when there is no such call. */
export function transportCall(name: string): TransportCall {
  const call = transportCalls[name];
  if (!call) throw new Error(`there is no call '${name}'`);
  return call;
}

function valuesOf(count: number): number[] {
  return Array.from({ length: count }, (_, i) => Math.fround(Math.sin(i)));
}

function requestOf(message: Uint8Array): InferRequest {
  const request = decodeInfer(message).request();
  if (request instanceof Promise) throw new Error("raw contents were not read at once");
  return request;
}

function answerOf(request: InferRequest, count: number): Uint8Array {
  const data = new Float32Array(count).fill(0.25);
  const output = { name: "probabilities", datatype: "FP32", shape: [1, count], data } as const;
  const answer = encodeInfer(
    { modelName: model, modelVersion: "1", id: request.id, outputs: [output] },
    request,
    () => {
      throw new Error("contents do not go raw");
    },
  );
  if (answer instanceof Promise) throw new Error("raw contents were not written at once");
  return answer;
}
