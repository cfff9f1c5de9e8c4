import { fail } from "@/lib/common/errors";

/**
 * Reads a body whole, up to a limit; works on Node's requests and on web streams.
 *
 * @throws {AppError} `BODY_TOO_LARGE` as soon as the limit is passed; what follows is not read.
 */
export async function readBody(
  body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> | null,
  options: { readonly limitBytes: number; readonly contentLength?: string | null | undefined },
): Promise<Buffer> {
  const { limitBytes, contentLength } = options;
  if (contentLength && Number(contentLength) > limitBytes) throw tooLarge(limitBytes);
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  if (body) {
    // A stream that is cancelled takes the connection with it, over which the refusal is still to go.
    const kept = body instanceof ReadableStream ? body.values({ preventCancel: true }) : body;
    for await (const chunk of kept) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > limitBytes) throw tooLarge(limitBytes);
      chunks.push(chunk);
    }
  }
  return Buffer.concat(chunks, sizeBytes);
}

function tooLarge(limitBytes: number) {
  return fail("BODY_TOO_LARGE", `The body is larger than ${limitBytes} bytes.`, {
    details: { limitBytes },
  });
}
