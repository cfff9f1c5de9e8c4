import { type Client, Metadata, type ServiceError } from "@grpc/grpc-js";

export interface Refused {
  /** Boardwalk's own reason. */
  readonly reason: string;
  /** The status of the front that refused. */
  readonly status: number;
}

/** One unary call of bytes, with a token or without. */
export function callGrpc(
  client: Client,
  path: string,
  { message, token }: { readonly message: Uint8Array; readonly token: string | null },
): Promise<Buffer | Refused> {
  const metadata = new Metadata();
  if (token !== null) metadata.set("authorization", `Bearer ${token}`);
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      path,
      (value: Uint8Array) => Buffer.from(value),
      (value: Buffer) => value,
      message,
      metadata,
      { deadline: Date.now() + 10_000 },
      (error: ServiceError | null, answer) => {
        if (!error && answer) return resolve(answer);
        const reason = String(error?.metadata.get("boardwalk-code")[0]);
        resolve({ reason, status: error?.code ?? -1 });
      },
    );
  });
}
