import { setImmediate } from "node:timers/promises";

/** So much is copied at once: about a millisecond, with the memory that is new. */
const stepBytes = 2 * 1024 * 1024;

/** Pieces one after the other in memory of their own; large ones step by step, so that others have their turn between. */
export function copyInSteps(pieces: readonly Uint8Array[]): Buffer | Promise<Buffer> {
  const sizeBytes = pieces.reduce((sum, { length }) => sum + length, 0);
  const whole = Buffer.from(new ArrayBuffer(sizeBytes));
  const steps = stepsOf(pieces);
  const copy = ({ piece, at }: Step) => whole.set(piece, at);
  if (sizeBytes <= stepBytes) {
    for (const step of steps) copy(step);
    return whole;
  }
  return (async () => {
    let since = 0;
    for (const step of steps) {
      if (since + step.piece.length > stepBytes) {
        await setImmediate();
        since = 0;
      }
      copy(step);
      since += step.piece.length;
    }
    return whole;
  })();
}

interface Step {
  readonly piece: Uint8Array;
  readonly at: number;
}

function* stepsOf(pieces: readonly Uint8Array[]): Generator<Step> {
  let at = 0;
  for (const each of pieces) {
    for (let from = 0; from < each.length; from += stepBytes) {
      const piece = each.subarray(from, from + stepBytes);
      yield { piece, at: at + from };
    }
    at += each.length;
  }
}
