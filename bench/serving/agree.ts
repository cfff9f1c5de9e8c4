import { fromBinary } from "@bufbuild/protobuf";
import { ModelInferResponseSchema } from "@/proto/inference/generated/inference_pb";
import { askGrpc } from "./grpc-ask";
import type { GrpcLoad } from "./grpc-load";
import type { HttpLoad } from "./http-load";
import type { Form, Server } from "./server";

/** A request over HTTP, whoever it is sent to. */
export type HttpRequest = Pick<HttpLoad, "path" | "headers" | "body">;

export interface Requests {
  readonly json: HttpRequest;
  readonly binary: HttpRequest;
  readonly message: GrpcLoad["message"];
}

/**
 * Checks that all servers answer as the first does, in every form they take: only those are worth comparing.
 *
 * @throws {Error} that names who does not.
 */
export async function agree(servers: readonly Server[], requests: Requests): Promise<void> {
  let expected: readonly number[] | null = null;
  for (const { name, ports } of servers) {
    for (const [form, port] of Object.entries(ports)) {
      const scores = await ask[form as Form](port, requests).catch((cause) => {
        throw new Error(`${name} does not answer to ${form}`, { cause });
      });
      expected ??= scores;
      const same =
        scores.length === expected.length &&
        expected.every((value, at) => Math.abs(value - (scores[at] ?? Number.NaN)) < 1e-5);
      if (!same) throw new Error(`${name} answers ${scores} to ${form}, not ${expected}`);
    }
  }
}

type Ask = (port: number, requests: Requests) => Promise<readonly number[]>;

const ask: Readonly<Record<Form, Ask>> = {
  JSON: async (port, { json }) => {
    const { bytes } = await post(port, json);
    return JSON.parse(bytes.toString()).outputs[0].data;
  },
  binary: async (port, { binary }) => {
    const { bytes, headers } = await post(port, binary);
    if (!headers.has("inference-header-content-length"))
      throw new Error("the answer is not binary");
    return floatsOf(bytes.subarray(Number(headers.get("inference-header-content-length"))));
  },
  gRPC: async (port, { message }) => {
    const bytes = await askGrpc(port, message);
    const { rawOutputContents, outputs } = fromBinary(ModelInferResponseSchema, bytes);
    const [raw] = rawOutputContents;
    return raw ? floatsOf(raw) : (outputs[0]?.contents?.fp32Contents ?? []);
  },
};

async function post(port: number, { path, headers, body }: HttpRequest) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers,
    body: Buffer.from(body),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (!answer.ok) throw new Error(bytes.toString());
  return { bytes, headers: answer.headers };
}

const floatsOf = (bytes: Uint8Array) => [...new Float32Array(Uint8Array.from(bytes).buffer)];
