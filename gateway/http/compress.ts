import { promisify } from "node:util";
import { deflate, gzip } from "node:zlib";

const compressors = { gzip: promisify(gzip), deflate: promisify(deflate) } as const;
/** A `content-encoding` that answers can have. */
export type Encoding = keyof typeof compressors;

/** Smaller bodies only grow. */
const leastBytes = 1024;

/** The encoding a caller likes best of those we have, null for none; the first of equals wins. */
export function chooseEncoding(accepted: string | undefined, sizeBytes: number): Encoding | null {
  if (accepted === undefined || sizeBytes < leastBytes) return null;
  let best: Encoding | null = null;
  let bestQuality = 0;
  for (const entry of accepted.slice(0, 1000).split(",")) {
    const [name = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    const quality = weight === undefined ? 1 : Number(weight.slice(2));
    if (!(quality > bestQuality)) continue;
    if (name === "gzip" || name === "deflate") best = name;
    else if (name === "identity") best = null;
    else continue;
    bestQuality = quality;
  }
  return best;
}

/** The body packed, off the event loop. */
export function compress(body: Uint8Array, encoding: Encoding): Promise<Buffer> {
  return compressors[encoding](body);
}
