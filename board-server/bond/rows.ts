import type { ArtifactIo } from "@/lib/common/contract";
import { argmax } from "@/lib/common/core-io";
import { fail } from "@/lib/common/errors";
import { numbersOf, type Tensor } from "@/lib/common/tensor";

/**
 * Rows of numbers as the one input of a model.
 *
 * @throws {AppError} `INFER_INVALID` for rows of another length, and for models that a row of numbers cannot ask.
 */
export function toTensor(
  { inputs }: Pick<ArtifactIo, "inputs">,
  rows: readonly (readonly number[])[],
): Tensor {
  const [spec, more] = inputs;
  if (!spec || more || spec.datatype !== "FP32")
    throw fail("INFER_INVALID", ": this model takes more than one list of numbers");
  const { name, size, shape } = spec;
  const wrong = rows.find((row) => row.length !== size);
  if (wrong)
    throw fail("INFER_INVALID", `: a row has ${size} numbers, and one of ${wrong.length} came`);
  return {
    name,
    datatype: "FP32",
    shape: shape.map((each, axis) => (each >= 0 ? each : axis === 0 ? rows.length : 1)),
    data: Float32Array.from(rows.flat()),
  };
}

/** Scores and classes of each row: the model's own classes, or the first of the largest scores. */
export function answerRows(outputs: readonly Tensor[], count: number) {
  const tables = outputs.map(({ data }) =>
    ArrayBuffer.isView(data) ? Array.from(numbersOf(data), Number) : [],
  );
  const isScores = (at: number) => /^FP|^BF/.test(outputs[at]?.datatype ?? "");
  const scores = tables.find((table, at) => isScores(at) && table.length >= count) ?? [];
  const own = tables.find((table, at) => !isScores(at) && table.length === count);
  const width = scores.length / count;
  const rows = Array.from({ length: scores.length > 0 ? count : 0 }, (_, row) =>
    scores.slice(row * width, (row + 1) * width),
  );
  return {
    scores: rows,
    classes: own ?? rows.map(argmax),
  };
}
