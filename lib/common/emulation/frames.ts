import { fail } from "@/lib/common/errors";

// What the program of an emulation is asked and answers, through its standard input and output; all little-endian.
//
// Question: bytes (uint32), then so many bytes of float32 rows: of each row, its inputs one behind the other.
// Reply: kind (uint32), bytes (uint32), nanoseconds of computing (uint64), then so many bytes.

/** Kinds of replies. The greeting comes first, unasked: values of a row that it takes, and that it answers (2 uint32). */
export const replyKinds = { answer: 0, error: 1, greeting: 2 } as const;

const questionHead = 4;
const replyHead = 16;
/** Most bytes of rows in one question. */
export const maxQuestionBytes = 64 * 2 ** 20;
/** More than this is no reply of ours. */
const maxReplyBytes = 2 ** 30;

export interface Reply {
  readonly kind: number;
  readonly payload: Uint8Array;
  readonly computeNs: number;
}

/** A question around rows. */
export function questionOf(rows: Uint8Array): Uint8Array {
  const frame = new Uint8Array(questionHead + rows.length);
  new DataView(frame.buffer).setUint32(0, rows.length, true);
  frame.set(rows, questionHead);
  return frame;
}

/** Takes replies out of bytes as they come. */
export class ReplyReader {
  private readonly chunks: Uint8Array[] = [];
  private held = 0;

  /**
   * The replies that the bytes complete.
   *
   * @throws {AppError} `OUTPUT_INVALID` for what is no reply.
   */
  push(bytes: Uint8Array): Reply[] {
    this.chunks.push(bytes);
    this.held += bytes.length;
    const replies: Reply[] = [];
    for (let size = this.nextSize(); size !== null && this.held >= size; size = this.nextSize())
      replies.push(parse(this.take(size)));
    return replies;
  }

  /** Whether part of a reply was read. */
  get isWithin(): boolean {
    return this.held > 0;
  }

  /** Bytes of the reply that is under way; null until its head is here. */
  private nextSize(): number | null {
    if (this.held < replyHead) return null;
    const head = viewOf(this.front(replyHead));
    const bytes = head.getUint32(4, true);
    if (head.getUint32(0, true) > replyKinds.greeting || bytes > maxReplyBytes)
      throw fail("OUTPUT_INVALID", "The emulation wrote something that is no reply.");
    return replyHead + bytes;
  }

  /** The first bytes, in one piece. */
  private front(size: number): Uint8Array {
    const [first] = this.chunks;
    if (first && first.length >= size) return first;
    const joined = new Uint8Array(this.held);
    let at = 0;
    for (const chunk of this.chunks) {
      joined.set(chunk, at);
      at += chunk.length;
    }
    this.chunks.splice(0, this.chunks.length, joined);
    return joined;
  }

  private take(size: number): Uint8Array {
    const whole = this.front(size);
    this.chunks[0] = whole.subarray(size);
    this.held -= size;
    return whole.subarray(0, size);
  }
}

function parse(frame: Uint8Array): Reply {
  const head = viewOf(frame);
  return {
    kind: head.getUint32(0, true),
    computeNs: Number(head.getBigUint64(8, true)),
    payload: frame.subarray(replyHead),
  };
}

/**
 * Holds a greeting against the values of a row that are wanted.
 *
 * @throws {AppError} `OUTPUT_INVALID`
 */
export function requireGreeting(
  { kind, payload }: Reply,
  wanted: { readonly inputs: number; readonly outputs: number },
): void {
  if (kind === replyKinds.greeting && payload.length === 8) {
    const sizes = viewOf(payload);
    const inputs = sizes.getUint32(0, true);
    const outputs = sizes.getUint32(4, true);
    if (inputs === wanted.inputs && outputs === wanted.outputs) return;
  }
  throw fail(
    "OUTPUT_INVALID",
    `The emulation does not take rows of ${wanted.inputs} values and answer ${wanted.outputs}.`,
  );
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);
