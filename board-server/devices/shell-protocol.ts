import {
  type Frame,
  type FrameKind,
  frameErrors,
  type Identity,
  parseIdentity,
} from "@/boards/links/uart";
import { type AppError, fail } from "@/lib/common/errors";

/** Times a request is put on the line before the link counts as broken. */
export const maxTries = 4;

/** Bytes of header, CRC, COBS and delimiter around a payload, and of the longest answer that is none, rounded up. */
const framingBytes = 80;
const bitsPerByte = 10;

/** Bits on the line, starts and stops among them, that an answer or a request with such a payload takes at most. */
export function lineBits(payloadBytes: number): number {
  return (payloadBytes + framingBytes) * bitsPerByte;
}

/**
 * The payload of an answer of the wanted kind.
 *
 * @throws {AppError} `LINK_FAILED` when the board refused, with its reason.
 */
export function payloadOf(answer: Frame, wanted: FrameKind): Uint8Array {
  if (answer.kind === wanted) return answer.payload;
  const why = frameErrors[answer.payload[0] ?? 0] ?? "it gave no reason";
  throw fail("LINK_FAILED", `The board refused a request: ${why}.`);
}

/** What to throw when the board stayed silent each time. */
export function silence(): AppError {
  return fail("LINK_FAILED", `The board did not answer ${maxTries} times.`);
}

/**
 * Holds what a board says of itself against the design that was loaded.
 *
 * @throws {AppError} `DEVICE_MISMATCH`
 */
export function checkIdentity(
  payload: Uint8Array,
  planDigest: string,
  core: Pick<Identity["core"], "inputBytes" | "outputBytes">,
): void {
  const identity = parseIdentity(payload);
  const isSame =
    identity.planDigest === planDigest &&
    identity.core.inputBytes === core.inputBytes &&
    identity.core.outputBytes === core.outputBytes;
  if (!isSame) {
    throw fail("DEVICE_MISMATCH", "The board runs another design than the one that was loaded.");
  }
}
