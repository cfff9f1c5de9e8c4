import type { Prediction, Refusal } from "../request/predict";

/** Some consecutive rows that go in one request; rows count from 0. */
export interface RowPart {
  readonly first: number;
  readonly count: number;
}

/** What became of one part: an answer, a refusal, or the words of a failure. */
export interface PartResult {
  readonly part: RowPart;
  readonly answer: Prediction | Refusal | null;
  readonly failure: string | null;
}

/** Cuts rows into requests of at most so many. */
export function planParts(rows: number, most: number): RowPart[] {
  const size = Math.max(1, most);
  return Array.from({ length: Math.ceil(rows / size) }, (_, at) => ({
    first: at * size,
    count: Math.min(size, rows - at * size),
  }));
}

export interface RunOptions {
  /** Requests under way at a time. */
  readonly parallel: number;
  readonly signal: AbortSignal;
  /** Hears of each part as soon as it is over. */
  readonly onResult: (result: PartResult) => void;
}

/**
 * Sends parts, a few at a time, in their order. What has been answered stays answered when it is stopped; a part that fails does
 * not keep the others from being sent.
 */
export async function runParts(
  parts: readonly RowPart[],
  send: (part: RowPart, signal: AbortSignal) => Promise<Prediction | Refusal>,
  { parallel, signal, onResult }: RunOptions,
): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < parts.length && !signal.aborted) {
      const part = parts[next++];
      if (!part) return;
      try {
        onResult({ part, answer: await send(part, signal), failure: null });
      } catch (error) {
        if (signal.aborted) return;
        const failure = error instanceof Error ? error.message : String(error);
        onResult({ part, answer: null, failure });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, parts.length) }, work));
}
