import type { Readable } from "node:stream";
import { isAppError } from "@/lib/common/errors";
import { tooLarge, unavailable } from "../open-web";

/** The whole of a short answer, as text. @throws {AppError} `SOURCE_TOO_LARGE`, `SOURCE_UNAVAILABLE` */
export async function readBody(stream: Readable, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw tooLarge(mostBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw isAppError(error) ? error : unavailable("The source broke off its answer.", error);
  }
  return Buffer.concat(chunks).toString("utf8");
}
