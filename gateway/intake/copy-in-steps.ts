import { PacedWork } from "./paced-work";

/** So much is copied at once: half a millisecond, with the memory that is new. */
const stepBytes = 256 * 1024;
/** Less than this is copied where it is asked for. */
const largeBytes = 2 * 1024 * 1024;

/** Pieces one after the other in memory of their own; large ones step by step, so that others have their turns between. */
export function copyInSteps(pieces: readonly Uint8Array[]): Buffer | Promise<Buffer> {
  const sizeBytes = pieces.reduce((sum, { length }) => sum + length, 0);
  const whole = Buffer.from(new ArrayBuffer(sizeBytes));
  const steps = [...stepsOf(pieces)];
  const copy = ({ piece, at }: Step) => whole.set(piece, at);
  if (sizeBytes <= largeBytes) {
    for (const step of steps) copy(step);
    return whole;
  }
  const work = new PacedWork();
  return new Promise((resolve) => {
    const goOn = () => {
      for (let step = steps.shift(); step; step = steps.shift()) {
        copy(step);
        if (work.endsTurn({ bodyBytes: step.piece.length }, goOn)) return;
      }
      resolve(whole);
    };
    goOn();
  });
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
