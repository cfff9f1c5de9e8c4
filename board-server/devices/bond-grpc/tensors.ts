import { type BondAnswer, type RowForm, readBondAnswers, writeBondInputs } from "@/lib/common/bond";
import type { ArtifactIo } from "@/lib/common/contract";
import { argmax } from "@/lib/common/core-io";
import { fail } from "@/lib/common/errors";
import type { Tensor } from "@/lib/common/tensor";

/** Rows of one call: several calls are made for more. */
const rowsPerCall = 256;

/** Rows of numbers, as a board is asked them. */
type Rows = readonly (readonly number[])[];

/**
 * The rows of the one input of a firmware.
 *
 * @throws {AppError} `INFER_INVALID`
 */
export function rowsOf({ inputs: [spec] }: ArtifactIo, inputs: readonly Tensor[]): Rows {
  if (!spec) throw fail("ARTIFACT_MISMATCH", "The firmware has no input.");
  const data = inputs.find(({ name }) => name === spec.name)?.data;
  const { size } = spec;
  if (!(data instanceof Float32Array) || data.length === 0 || data.length % size !== 0)
    throw fail("INFER_INVALID", `Input '${spec.name}' wants rows of ${size} FP32 elements.`);
  return Array.from({ length: data.length / size }, (_, row) => [
    ...data.subarray(row * size, (row + 1) * size),
  ]);
}

/** Questions of a few rows each, with what their answers must have. */
export function questionsOf(rows: Rows, form: RowForm, outputs: number) {
  const size = form === "flat" ? 1 : rowsPerCall;
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, part) => {
    const asked = rows.slice(part * size, (part + 1) * size);
    return {
      text: writeBondInputs(asked, form),
      read: (answer: string): BondAnswer =>
        readBondAnswers(answer, { rows: asked.length, outputs }),
    };
  });
}

/** What a board answered, as the tensors that the manifest names: scores, and classes where it has an output of integers. */
export function tensorsOf({ outputs }: ArtifactIo, answers: readonly BondAnswer[]): Tensor[] {
  const size = scoreSpec({ outputs }).size;
  const scores = answers.flatMap((answer) => [...answer.scores]);
  const count = scores.length / size;
  return outputs.map(({ name, datatype, shape }) => {
    const batched = shape.map((each, axis) => (each >= 0 ? each : axis === 0 ? count : 1));
    if (datatype === "FP32")
      return { name, datatype, shape: batched, data: Float32Array.from(scores) };
    const classes = answers.flatMap((answer) => [...classesOf(answer, size)]);
    return {
      name,
      datatype: "INT64" as const,
      shape: batched,
      data: BigInt64Array.from(classes, (each) => BigInt(Math.trunc(each))),
    };
  });
}

/** The output of scores. @throws {AppError} `ARTIFACT_MISMATCH` */
export function scoreSpec({ outputs }: Pick<ArtifactIo, "outputs">) {
  const spec = outputs.find(({ datatype }) => datatype === "FP32");
  if (!spec) throw fail("ARTIFACT_MISMATCH", "The firmware has no output of scores.");
  return spec;
}

/** The board's own classes; where it says none, the first of the largest scores. */
function classesOf({ scores, classes }: BondAnswer, size: number): readonly number[] {
  if (classes) return classes;
  return Array.from({ length: scores.length / size }, (_, row) =>
    argmax(scores.subarray(row * size, (row + 1) * size)),
  );
}
