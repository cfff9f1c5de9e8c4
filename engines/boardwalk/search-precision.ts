import type { BoardModel } from "@/boards";
import {
  estimateDesign,
  type Graph,
  hasMaps,
  hasQuantizers,
  hasTrees,
  legalise,
  lower,
  type Precision,
  runDenseNetwork,
  runIntegerGraph,
} from "@/compiler";
import type { ModelCard, PrecisionTry } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { dequantize, quantize } from "@/lib/common/fixed-point";
import type { Rows } from "@/lib/common/rows";
import { parseOptions } from "./options";

export interface PrecisionSearch {
  readonly graph: Graph;
  readonly card: ModelCard | null;
  /** Null where the card's range is to calibrate with. */
  readonly calibration: Rows | null;
  readonly tests: Rows;
  readonly board: BoardModel;
  readonly options: Readonly<Record<string, unknown>>;
  /** Part of the test rows that must agree with the float model. */
  readonly wanted: number;
}

export interface SearchStart {
  readonly measure: "class" | "value";
  readonly floatAccuracy: number | null;
  readonly mostTries: number;
  /** From the finest on; ends by itself. A try that holds is followed by a coarser one. */
  readonly tries: Iterator<PrecisionTry>;
}

const finest: Precision = { inputBits: 8, weightBits: [8], activationBits: 8 };
/** Of a part of the precision, its fewest bits. Weights first: they cost most cells. */
const parts = [
  { name: "weightBits", least: 2 },
  { name: "activationBits", least: 2 },
  { name: "inputBits", least: 4 },
] as const;
/** Without classes, values this near to the float model's count as equal, as a share of its range. */
const nearShare = 0.01;

/**
 * Looks for the fewest bits with which enough test rows agree with the float model: one part after the other, a bit less
 * each time, as long as it holds. Pure; a try takes as long as quantising and running all rows does.
 *
 * @throws {AppError} `COMBINATION_UNSUPPORTED` for trees, which are exact; what `legalise` refuses; `OPTION_INVALID`.
 */
export function searchPrecision(search: PrecisionSearch): SearchStart {
  const { graph, tests } = search;
  if (hasTrees(graph)) {
    throw fail("COMBINATION_UNSUPPORTED", "Trees have no bits to save: they decide exactly.", {
      hint: "Deploy the model as it is.",
    });
  }
  if (hasQuantizers(graph)) {
    throw fail("COMBINATION_UNSUPPORTED", "The model says how many bits its numbers have.", {
      hint: "Deploy the model as it is.",
    });
  }
  if (hasMaps(graph)) {
    throw fail("COMBINATION_UNSUPPORTED", "Bits are not searched for models with convolutions.", {
      hint: "Build with several precisions, and compare the builds.",
    });
  }
  const { layers, outputs } = legalise(graph);
  const [{ activation }] = outputs;
  const floats = Array.from({ length: tests.count }, (_, row) =>
    Array.from(runDenseNetwork(layers, rowOf(tests, row)).at(-1) ?? []),
  );
  const hasClasses = activation !== "none" || tests.labels !== null;
  const classOf = hasClasses ? classReader(floats[0]?.length ?? 0, activation) : null;
  const judge = { floats, classOf, range: rangeOf(floats) };
  const isRight = (scores: readonly number[], row: number) =>
    classOf?.(scores) === tests.labels?.[row];
  return {
    measure: classOf ? "class" : "value",
    floatAccuracy: classOf && tests.labels ? shareOf(floats, isRight) : null,
    mostTries: 1 + parts.reduce((sum, { least }) => sum + 8 - least, 0),
    tries: triesOf(search, judge),
  };
}

interface Judge {
  readonly floats: readonly (readonly number[])[];
  readonly classOf: ((scores: readonly number[]) => number) | null;
  readonly range: number;
}

function* triesOf(search: PrecisionSearch, judge: Judge): Generator<PrecisionTry> {
  const first = tryPrecision(search, judge, finest);
  yield first;
  if (!first.holds) return;
  let best = finest;
  for (const { name, least } of parts) {
    for (let bits = 7; bits >= least; bits--) {
      const next = { ...best, [name]: name === "weightBits" ? [bits] : bits };
      const tried = tryPrecision(search, judge, next);
      yield tried;
      if (!tried.holds) break;
      best = next;
    }
  }
}

function tryPrecision(search: PrecisionSearch, judge: Judge, precision: Precision): PrecisionTry {
  const { graph, card, calibration, tests, board, wanted } = search;
  const { architecture, lanes = null } = parseOptions(search.options);
  const lowered = lower({ graph, inputRange: card?.inputRange ?? null, calibration, precision });
  const { integerGraph, standardisation } = lowered;
  const { mean, deviation } = standardisation;
  const { input, output } = integerGraph;
  const integers = judge.floats.map((_, row) => {
    const values = Int8Array.from(rowOf(tests, row), (value, at) =>
      quantize((value - (mean[at] ?? 0)) / (deviation[at] ?? 1), { ...input, signed: true }),
    );
    return Array.from(runIntegerGraph(integerGraph, values).output, (score) =>
      dequantize(score, output),
    );
  });
  const { classOf } = judge;
  const agreement = shareOf(integers, (scores, row) =>
    agrees(scores, judge.floats[row] ?? [], judge),
  );
  const estimate = estimateDesign({
    graph: integerGraph,
    board: { name: board.name, family: board.part.family, part: board.part.resources },
    architecture,
    lanes,
  });
  return {
    ...precision,
    weightBits: [...precision.weightBits],
    agreement,
    accuracy:
      classOf && tests.labels
        ? shareOf(integers, (scores, row) => classOf(scores) === tests.labels?.[row])
        : null,
    holds: agreement >= wanted,
    architecture: estimate.architecture,
    cells: estimate.lut,
    bramBlocks: estimate.bramBlocks,
    latencyCycles: estimate.latencyCycles,
    fits: estimate.fits,
  };
}

function agrees(
  scores: readonly number[],
  float: readonly number[],
  { classOf, range }: Judge,
): boolean {
  if (classOf) return classOf(scores) === classOf(float);
  return float.every((value, at) => Math.abs(value - (scores[at] ?? 0)) <= nearShare * range);
}

/** The largest score names the class; a single score before a sigmoid does by its sign. */
function classReader(size: number, activation: string) {
  if (size > 1) return (scores: readonly number[]) => scores.indexOf(Math.max(...scores));
  if (activation !== "sigmoid") return null;
  return (scores: readonly number[]) => Number((scores[0] ?? 0) >= 0);
}

function rangeOf(floats: readonly (readonly number[])[]): number {
  const all = floats.flat();
  const [low, high] = all.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)] as const,
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as readonly [number, number],
  );
  return Math.max(0, high - low);
}

const rowOf = ({ values, width }: Rows, row: number) =>
  values.subarray(row * width, (row + 1) * width);

function shareOf(
  rows: readonly (readonly number[])[],
  holds: (scores: readonly number[], row: number) => boolean,
): number {
  return rows.filter(holds).length / Math.max(1, rows.length);
}
