import { z } from "zod";

const edgeSchema = z.strictObject({
  name: z.string(),
  size: z.int().min(1),
  width: z.int(),
  fraction: z.int(),
});

/** What da4ml's operations are called here; each makes one value, of those before it in the list. */
const codes = [
  "input",
  "add",
  "subtract",
  "relu",
  "wrap",
  "offset",
  "constant",
  "choose",
  "multiply",
  "lookup",
] as const;

const operationSchema = z.strictObject({
  code: z.enum(codes),
  /** The values that it reads; of an input, its place in the row. */
  from: z.array(z.int().min(0)).max(3),
  /** Whether what it reads (of `choose`, the second) is negated first. */
  negated: z.boolean().optional(),
  /** Bits by which the second value is shifted to the left. */
  shift: z.int().optional(),
  /** What is added, or what there is, as a real. */
  value: z.number().optional(),
  /** Of `lookup`: what it answers for the least value that it reads, and for each step above. */
  low: z.number().optional(),
  step: z.number().optional(),
  entries: z.array(z.number()).optional(),
  /** Sign, bits left of the point without it, and bits behind it. */
  kif: z.tuple([z.int(), z.int(), z.int()]),
});

/** One value of a program of adders. */
export type AdderOperation = z.infer<typeof operationSchema>;

/** What da4ml leaves of a program. */
export const adderStepsSchema = z.strictObject({
  operations: z.array(operationSchema),
  outputs: z.array(z.strictObject({ from: z.int().min(-1), shift: z.int(), negated: z.boolean() })),
});

export const adderProgramSchema = adderStepsSchema.extend({
  schemaVersion: z.literal(1),
  machine: z.literal("da4ml"),
  input: edgeSchema,
  /** Nothing of its inside is named. */
  nodes: z.array(z.strictObject({ name: z.string() })).max(0),
  output: edgeSchema,
});

/**
 * The bit-exact software model of a network that da4ml traced itself: its additions, shifts, cuts, choices and tables in order, each
 * of a value exactly as wide as it says. Words are signed integers; `fraction` of their bits lie behind the point.
 */
export type AdderProgram = z.infer<typeof adderProgramSchema>;

/**
 * Runs one row of words through a program.
 *
 * @throws {RangeError} when the row has another size, an operation reads what is not there yet, or an answer does not lie on
 *   the grid of the output.
 */
export function runAdders(
  { input, operations, outputs, output }: AdderProgram,
  row: ArrayLike<number>,
): { readonly output: Int32Array; readonly nodes: ReadonlyMap<string, readonly number[]> } {
  if (row.length !== input.size) {
    throw new RangeError(`The row has ${row.length} words, the program takes ${input.size}.`);
  }
  // Reals, each exact: da4ml keeps its values far below 2^53 steps.
  const values: number[] = [];
  for (const operation of operations) {
    values.push(
      operation.code === "input"
        ? (row[operation.from[0] ?? -1] ?? 0) * 2 ** -input.fraction
        : computed(operation, values, operations),
    );
  }
  const words = outputs.map(({ from, shift, negated }) => {
    const real = from < 0 ? 0 : read(values, from) * 2 ** shift * (negated ? -1 : 1);
    const word = real * 2 ** output.fraction;
    if (!Number.isInteger(word) || Math.abs(word) >= 2 ** (output.width - 1)) {
      throw new RangeError(`An answer of ${real} does not lie on the grid of the output.`);
    }
    return word;
  });
  return { output: Int32Array.from(words), nodes: new Map() };
}

function read(values: readonly number[], at: number | undefined): number {
  const value = at === undefined ? undefined : values[at];
  if (value === undefined) throw new RangeError("An operation reads what is not there yet.");
  return value;
}

function computed(
  operation: AdderOperation,
  values: readonly number[],
  operations: readonly AdderOperation[],
): number {
  const { code, from, negated = false, shift = 0, value = 0, kif } = operation;
  const sign = negated ? -1 : 1;
  const [first, second, key] = from;
  switch (code) {
    case "add":
      return read(values, first) + read(values, second) * 2 ** shift;
    case "subtract":
      return read(values, first) - read(values, second) * 2 ** shift;
    case "multiply":
      return read(values, first) * read(values, second);
    case "relu":
      return cut(Math.max(0, sign * read(values, first)), kif);
    case "wrap":
      return cut(sign * read(values, first), kif);
    case "offset":
      return read(values, first) + value;
    case "choose":
      return hasTopBit(read(values, key), operations[key ?? -1]?.kif ?? [0, 0, 0])
        ? read(values, first)
        : sign * read(values, second) * 2 ** shift;
    case "lookup":
      return lookedUp(operation, read(values, first));
    default:
      return value;
  }
}

function lookedUp({ low = 0, step = 1, entries = [] }: AdderOperation, value: number): number {
  const entry = entries[(value - low) / step];
  if (entry === undefined) throw new RangeError(`A table has no entry for ${value}.`);
  return entry;
}

/** Bits behind the last are cut off, and what is too large wraps around. */
function cut(value: number, [sign, integers, fraction]: AdderOperation["kif"]): number {
  const step = 2 ** -fraction;
  const range = 2 ** (sign + integers + fraction);
  const below = sign === 1 ? range / 2 : 0;
  const steps = Math.floor(value / step) + below;
  return step * (steps - range * Math.floor(steps / range) - below);
}

/** The highest bit of a word: the sign, where there is one. */
const hasTopBit = (value: number, [sign, integers]: AdderOperation["kif"]): boolean =>
  sign === 1 ? value < 0 : value >= 2 ** (integers - 1);
