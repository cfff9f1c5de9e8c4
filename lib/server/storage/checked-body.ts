import { pipeline, Readable, Transform } from "node:stream";
import { fail } from "@/lib/common/errors";
import { DigestStream } from "@/lib/server/digest";
import type { PutOptions } from "./object-store";

/**
 * The bytes as a stream that fails at its end if they are not those promised. The last piece is held back until then, so
 * that no store can have seen the whole body of a wrong one.
 */
export function checkedBody(body: Readable | Uint8Array, options: PutOptions): Readable {
  const source = body instanceof Uint8Array ? Readable.from([body]) : body;
  const hashed = new DigestStream();
  let seen = 0;
  let held: Buffer | null = null;
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.byteLength;
      const ready = held;
      held = chunk;
      done(seen > options.sizeBytes ? mismatch() : null, ready);
    },
    flush(done) {
      const wrong =
        seen !== options.sizeBytes ||
        (options.digest !== undefined && hashed.digest !== options.digest);
      done(wrong ? mismatch() : null, wrong ? null : held);
    },
  });
  return pipeline(source, hashed, check, () => {});
}

function mismatch() {
  return fail("ARTIFACT_MISMATCH", "The bytes are not those that were promised.");
}
