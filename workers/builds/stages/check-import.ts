import { type Graph, type RealTensor, runGraph } from "@/engines";
import { fail } from "@/lib/common/errors";
import type { Rows } from "@/lib/common/rows";
import { batchOf, type Feed, makeFeeds } from "../../rows";
import type { Answer, FloatSession } from "./float-session";

const sampleRows = 64;
/** Float32 sums in another order differ by about this much: of the value, and of the largest value of its tensor. */
const tolerance = { ofValue: 1e-3, ofLargest: 1e-5 } as const;
/** What float32 holds with all its bits. */
const float32 = { smallest: 2 ** -126, largest: 2 ** 128 } as const;
/** How far weights and inputs are moved to see how much of a difference is rounding, and how often. */
const nudge = 2 ** -21;
const nudges = 4;
/** Roundings add up: one of each value of a sum, layer after layer. */
const manyRoundings = 16;

/**
 * Holds our reading of a model against the judge's, on the same rows.
 *
 * @returns How many rows were compared.
 * @throws {AppError} `IMPORT_MISMATCH`; `MODEL_UNSUPPORTED` where the rows take the model out of what float32 holds, so
 * that neither answer says anything of the other.
 */
export async function checkImport(
  session: FloatSession,
  { graph, rows }: { readonly graph: Graph; readonly rows: Rows | null },
): Promise<number> {
  const feeds = makeFeeds(
    graph.inputs,
    rows,
    batchOf(graph.inputs[0] ?? { shape: [] }, sampleRows),
  );
  const theirs = await session.run(feeds);
  const inputs = tensorsOf(feeds);
  const ours = runGraph(graph, inputs);
  const exact = (): number => 0;
  if (firstDifference(ours, theirs, exact)) {
    const rounding = roundingOf(graph, inputs, ours);
    const difference = firstDifference(ours, theirs, rounding);
    if (difference) throw refusalOf(difference, leavesFloat32(graph, inputs));
  }
  return inputs.values().next().value?.shape[0] ?? 0;
}

const tensorsOf = (feeds: ReadonlyMap<string, Feed>): Map<string, RealTensor> =>
  new Map(
    [...feeds].map(([name, { shape, values }]) => [
      name,
      { shape, values: Float32Array.from(values) },
    ]),
  );

interface Difference {
  readonly output: string;
  readonly element: number;
  readonly expected: number | undefined;
  readonly got: number | undefined;
}

/** @param rounding How far rounding alone may carry an element of an output. */
function firstDifference(
  ours: ReadonlyMap<string, RealTensor>,
  theirs: ReadonlyMap<string, Answer>,
  rounding: (output: string, element: number) => number,
): Difference | null {
  for (const [output, { values }] of ours) {
    const judged = numbersOf(theirs.get(output));
    const largest = judged.reduce(
      (most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most),
      0,
    );
    const floor = tolerance.ofLargest * largest + float32.smallest;
    const isClose = (value: number, element: number) => {
      const own = values[element] ?? Number.NaN;
      if (Object.is(Math.fround(own), value)) return true;
      const most = floor + tolerance.ofValue * Math.abs(value) + rounding(output, element);
      return Math.abs(own - value) <= most;
    };
    const element = judged.findIndex((value, at) => !isClose(value, at));
    if (judged.length === values.length && element < 0) continue;
    return { output, element, expected: judged[element], got: values[element] };
  }
  return null;
}

/** Moves every weight and input by what rounding does to them: so far the answers move, so far may two of them differ. */
function roundingOf(
  graph: Graph,
  inputs: ReadonlyMap<string, RealTensor>,
  ours: ReadonlyMap<string, RealTensor>,
): (output: string, element: number) => number {
  let state = 1;
  const moved = (values: Float32Array | Float64Array) =>
    Float64Array.from(values, (value) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return value * (1 + (state / 2 ** 31 - 1) * nudge);
    });
  const others = Array.from({ length: nudges }, () => {
    const constants = [...graph.constants].map(
      ([name, each]) =>
        [name, each.datatype === "FP32" ? { ...each, values: moved(each.values) } : each] as const,
    );
    const nudged = [...inputs].map(
      ([name, each]) => [name, { ...each, values: moved(each.values) }] as const,
    );
    return runGraph({ ...graph, constants: new Map(constants) }, new Map(nudged));
  });
  return (output, element) => {
    const own = ours.get(output)?.values[element] ?? Number.NaN;
    const away = others.map((each) =>
      Math.abs((each.get(output)?.values[element] ?? Number.NaN) - own),
    );
    return manyRoundings * Math.max(...away);
  };
}

/** Whether any value on the way is no number, or too large or too small for float32, where our doubles still hold it. */
function leavesFloat32(graph: Graph, inputs: ReadonlyMap<string, RealTensor>): boolean {
  const every = graph.nodes.flatMap(({ outputs }) =>
    outputs
      .filter((name) => name !== "")
      .map((name) => ({ name, datatype: "FP32" as const, shape: [] })),
  );
  const isHeld = (value: number) =>
    value === 0 || (Math.abs(value) >= float32.smallest && Math.abs(value) < float32.largest);
  return [...runGraph({ ...graph, outputs: every }, inputs).values()].some(
    ({ values }) => !values.every(isHeld),
  );
}

function refusalOf({ output, ...difference }: Difference, outOfRange: boolean) {
  if (outOfRange) {
    return fail(
      "MODEL_UNSUPPORTED",
      `For ordinary rows, values of the model leave the range of 32-bit floats, so output ${output} cannot be compared.`,
      {
        hint: "Scale its weights, or use a CPU board, with the engine of the model's own make.",
        details: { output, ...difference },
      },
    );
  }
  return fail(
    "IMPORT_MISMATCH",
    `Our reading of the model answers otherwise than ONNX Runtime at output ${output}.`,
    {
      hint: "This is a fault of ours, not of the model. Please report it.",
      details: { output, ...difference },
    },
  );
}

/** The numbers of an answer. */
export function numbersOf(answer: Answer | undefined): number[] {
  if (!answer) return [];
  return Array.from(answer.data as ArrayLike<number | bigint>, Number);
}
