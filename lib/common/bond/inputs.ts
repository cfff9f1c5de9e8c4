import { z } from "zod";
import { fail } from "../errors";
import { parseLooseJson } from "./loose-json";

/** How a board takes the rows of a call: `nested` any number of them, `flat` one, without brackets of its own. */
export type RowForm = "nested" | "flat";

/** A tensor as a call brings it. */
interface BondInput {
  readonly name: string;
  readonly rows: readonly (readonly number[])[];
}

/**
 * The JSON text that asks a board. No rows at all: a question that it answers by an empty list once it is loaded.
 *
 * @throws {AppError} `INFER_INVALID` for numbers that JSON does not have, and more than one flat row.
 */
export function writeBondInputs(rows: readonly (readonly number[])[], form: RowForm): string {
  const [first] = rows;
  if (!first) return '{"inputs":[]}';
  if (rows.some((row) => !row.every(Number.isFinite)))
    throw fail("INFER_INVALID", "This board takes finite numbers only.");
  if (form === "flat" && rows.length > 1)
    throw fail("INFER_INVALID", "This board takes one row at a time.");
  const shape = [rows.length, first.length];
  const data = form === "flat" ? first : rows;
  return JSON.stringify({ inputs: [{ name: "input_1", shape, datatype: "FP32", data }] });
}

const rowSchema = z.array(z.number());
const inputsSchema = z.looseObject({
  inputs: z
    .array(
      z.looseObject({
        name: z.string().max(200).default("input_1"),
        data: z.union([rowSchema, z.array(rowSchema)]),
      }),
    )
    .max(64),
});

/** Rows of one call that are answered. */
const maxRows = 4096;

/**
 * Reads what a client of the original asks, single quotes and one flat row included.
 *
 * @throws {AppError} `INFER_INVALID`
 */
export function readBondInputs(text: string): readonly BondInput[] {
  let value: unknown;
  try {
    value = parseLooseJson(text);
  } catch (cause) {
    throw fail("INFER_INVALID", `Expecting JSON: ${(cause as Error).message.slice(0, 100)}`);
  }
  const parsed = inputsSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw fail("INFER_INVALID", `${issue?.path.join(".") || "inputs"}: ${issue?.message}`);
  }
  return parsed.data.inputs.map(({ name, data }) => {
    const rows = data.length > 0 && data.every((each) => typeof each === "number") ? [data] : data;
    const nested = rows.filter((row) => Array.isArray(row));
    if (nested.length > maxRows)
      throw fail("INFER_INVALID", `One call takes ${maxRows} rows at most.`);
    return { name, rows: nested };
  });
}
