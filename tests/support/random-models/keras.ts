import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { loadReader } from "@/engines";
import type { Answers, RandomModel } from "./types";

const script = "tests/support/random-models/keras_models.py";
/** Of the largest finite answer of a model: its layers add up in float32, in another order. */
const tolerance = 2e-4;

interface Drawn {
  readonly file: string;
  readonly about: string;
  readonly rows: readonly number[];
  /** What Keras answers; null where that is no finite number. */
  readonly answers: readonly (number | null)[];
  /** What it answers when it computes in doubles. */
  readonly exact: readonly (number | null)[];
}

/** Random files of Keras, drawn, saved and answered by Keras itself in one process. */
export async function randomKeras(
  python: string,
  first: number,
  count: number,
): Promise<RandomModel[]> {
  await Promise.all([loadReader("keras"), loadReader("keras-h5")]);
  const folder = mkdtempSync(join(tmpdir(), "bw-keras-"));
  try {
    await promisify(execFile)(python, [script, folder, String(first), String(count)], {
      maxBuffer: 2 ** 24,
    });
    return Array.from({ length: count }, (_, index): RandomModel => {
      const seed = first + index;
      const drawn: Drawn = JSON.parse(readFileSync(join(folder, `${seed}.json`), "utf8"));
      const { file, about, rows } = drawn;
      return {
        seed,
        format: "keras",
        family: file.endsWith("h5") ? "h5" : "keras",
        about,
        bytes: new Uint8Array(readFileSync(join(folder, file))),
        rows: Float32Array.from(rows),
        hold: (served) => requireClose(served, drawn),
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Holds answers to what Keras answers, or to what lies from there towards the answer of its doubles: as far it rounds itself. */
function requireClose(served: Answers, { answers: wanted, exact }: Drawn): void {
  const [answer] = served;
  const finite = wanted.filter((value) => value !== null);
  const largest = finite.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const room = tolerance * largest + 2 ** -126;
  const wrong = wanted.findIndex((value, at) => {
    const own = answer?.values[at] ?? Number.NaN;
    if (value === null) return Number.isFinite(own);
    const other = exact[at] ?? value;
    return !(own >= Math.min(value, other) - room && own <= Math.max(value, other) + room);
  });
  if (served.length === 1 && answer?.values.length === wanted.length && wrong < 0) return;
  throw new Error(`${answer?.output}[${wrong}] is ${answer?.values[wrong]}, not ${wanted[wrong]}`);
}
