import type { Vectors } from "@/lib/common/contract";
import type { CoreAnswer, CoreShape } from "@/simulator/run";
import type { VectorsProgress } from "./messages";
import { Problem } from "./problem";

export interface VectorsRun {
  readonly run: (row: Uint8Array) => CoreAnswer;
  readonly shape: Pick<CoreShape, "inputBytes" | "outputBytes">;
  readonly isStopped: () => boolean;
  /** Lets others have the thread for a moment. */
  readonly pause: () => Promise<void>;
  readonly onProgress: (progress: VectorsProgress, ended: boolean) => void;
}

const sliceMs = 60;

/**
 * Sends every row of a vector file through the core and holds the answers against the recorded ones, byte for byte.
 *
 * @throws {Problem} `ARTIFACT_MISMATCH` when the file does not hold rows of this core.
 */
export async function runVectors(
  vectors: Vectors,
  { run, shape, isStopped, pause, onProgress }: VectorsRun,
): Promise<void> {
  const { rows: total } = vectors;
  const inputs = bytesOf(vectors.inputs);
  const outputs = bytesOf(vectors.outputs);
  if (inputs.length !== total * shape.inputBytes || outputs.length !== total * shape.outputBytes) {
    throw new Problem("otherVectors");
  }
  const startedAt = performance.now();
  let [done, equal, cycles] = [0, 0, 0];
  let firstDifferent: number | null = null;
  const report = (ended: boolean) => {
    const seconds = (performance.now() - startedAt) / 1000;
    const cyclesPerSecond = seconds > 0 ? cycles / seconds : 0;
    onProgress({ total, done, equal, firstDifferent, cyclesPerSecond }, ended);
  };
  for (let sliceAt = startedAt; done < total && !isStopped(); ) {
    const answer = run(rowOf(inputs, shape.inputBytes, done));
    if (isSame(answer.output, rowOf(outputs, shape.outputBytes, done))) equal += 1;
    else firstDifferent ??= done;
    done += 1;
    cycles += answer.cycles;
    if (performance.now() - sliceAt < sliceMs) continue;
    report(false);
    await pause();
    sliceAt = performance.now();
  }
  report(true);
}

const rowOf = (bytes: Uint8Array, size: number, row: number) =>
  bytes.subarray(row * size, (row + 1) * size);

const isSame = (a: Uint8Array, b: Uint8Array) =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
