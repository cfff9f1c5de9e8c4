import { type Client, Metadata, type ServiceError } from "@grpc/grpc-js";

/** A call as gRPC has it: status 0 with an answer, or another with what the front said. */
export interface Called {
  readonly code: number;
  readonly details: string;
  readonly answer: Buffer;
  readonly metadata: Metadata | undefined;
}

/** One unary call of bytes. */
export function sendGrpc(
  client: Client,
  path: string,
  {
    message,
    metadata = new Metadata(),
  }: {
    readonly message: Uint8Array;
    readonly metadata?: Metadata;
  },
): Promise<Called> {
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      path,
      (value: Uint8Array) => Buffer.from(value),
      (value: Buffer) => value,
      message,
      metadata,
      { deadline: Date.now() + 60_000 },
      (error: ServiceError | null, answer) =>
        resolve({
          code: error?.code ?? 0,
          details: error?.details ?? "",
          answer: answer ?? Buffer.alloc(0),
          metadata: error?.metadata,
        }),
    );
  });
}

export interface Refused {
  /** Boardwalk's own reason. */
  readonly reason: string;
  /** The status of the front that refused. */
  readonly status: number;
}

/** One unary call of bytes, with a token or without, and whatever metadata goes with it. */
export async function callGrpc(
  client: Client,
  path: string,
  {
    message,
    token,
    metadata: more = {},
  }: {
    readonly message: Uint8Array;
    readonly token: string | null;
    readonly metadata?: Readonly<Record<string, string>>;
  },
): Promise<Buffer | Refused> {
  const sent = new Metadata();
  for (const [name, value] of Object.entries(more)) sent.set(name, value);
  if (token !== null) sent.set("authorization", `Bearer ${token}`);
  const { code, answer, metadata } = await sendGrpc(client, path, { message, metadata: sent });
  if (code === 0) return answer;
  return { reason: String(metadata?.get("boardwalk-code")[0]), status: code };
}
