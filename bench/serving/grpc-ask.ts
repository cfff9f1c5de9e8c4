import { Client, credentials } from "@grpc/grpc-js";
import { inferPath } from "./grpc-load";

/** The answer of one `ModelInfer`, asked by the client of grpc-js. */
export async function askGrpc(port: number, message: Uint8Array): Promise<Buffer> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const asIs = (bytes: Buffer) => bytes;
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      client.makeUnaryRequest(inferPath, asIs, asIs, Buffer.from(message), (error, answer) =>
        error || !answer ? reject(error) : resolve(answer),
      );
    });
  } finally {
    client.close();
  }
}
