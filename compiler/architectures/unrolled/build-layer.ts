import type { FamilyCosts } from "@/boards";
import type { Layer } from "../../integer/layers";
import { requantizedBounds } from "../../integer/requantize";
import { clampedValue } from "./clamped-value";
import { estimateCells } from "./estimate";
import { lookedUp } from "./look-up";
import type { NetworkLayer, Term, Value } from "./network";
import type { NetworkBuilder } from "./network-builder";
import { termsOf } from "./pattern";
import { placeInTime } from "./pipeline";
import { constantWeight, type DepthLayer, depthOf, levelsAfter, planLevels } from "./plan-levels";
import { isToEven, roundingOf } from "./rounding";
import { sharePatterns } from "./share-patterns";
import { formChoiceOf, type Style, styleOf, trialsOf } from "./style";
import { sumRow } from "./sum-row";

/** A layer that is to be made of adders. */
export interface LayerWork {
  readonly stage: Layer;
  readonly index: number;
  readonly inputs: readonly Value[];
  /** By output, whether anything uses it. */
  readonly used: readonly boolean[];
  /** The layers behind it. */
  readonly later: readonly DepthLayer[];
  readonly costs: FamilyCosts;
  /** Ways of making it that are tried at most; left out, as many as pay. */
  readonly trials: number | undefined;
}

/** What all ways of making a layer have in common. */
interface Rows {
  readonly rows: readonly (readonly Term[])[];
  readonly offsets: readonly number[];
  /** By which level each row is summed. */
  readonly levels: readonly number[];
}

/**
 * Makes a layer in several ways and keeps one with which the network answers first, of those the one that takes least;
 * chance plays a part in all but the first.
 */
export function buildLayer(builder: NetworkBuilder, work: LayerWork): NetworkLayer {
  const { stage, inputs, used, later, costs, trials } = work;
  const signals = inputs.map((value) => (value.kind === "term" ? value.term.signal : null));
  const { signals: before, layers } = builder.finish();
  const [signalCount, layerCount] = [before.length, layers.length];
  const begin = () => builder.reopenLayer(signals, signalCount, layerCount);
  begin();
  const rowsOf = (style: Style) =>
    termsOf(stage.dense.weights, signals, formChoiceOf(style)).map((terms, output) =>
      used[output] ? terms : [],
    );
  // However weights are written, they have as many digits.
  const rows = rowsOf(styleOf(costs, 0, null));
  const levels = planLevels(loadsOf(builder, rows), leastLevelsOf(work), later);
  const offsets = offsetsOf(stage, inputs);
  const make = (style: Style): NetworkLayer => {
    begin();
    return makeLayer(builder, work, { rows: rowsOf(style), offsets, levels }, style);
  };
  const most = Math.min(trialsOf(rows), trials ?? Number.POSITIVE_INFINITY);
  let best: Style | null = null;
  let least: Outcome = { depth: Number.POSITIVE_INFINITY, cells: Number.POSITIVE_INFINITY };
  for (let trial = 0; trial < most && most > 1; trial++) {
    const style = styleOf(costs, trial, best);
    const outcome = outcomeOf(builder, make(style), work);
    if (isBetter(outcome, least)) [best, least] = [style, outcome];
  }
  return make(best ?? styleOf(costs, 0, null));
}

/** What a way of making a layer comes to: the level of the last score, and cells so far. */
interface Outcome {
  readonly depth: number;
  readonly cells: number;
}

const isBetter = (one: Outcome, other: Outcome): boolean =>
  one.depth < other.depth || (one.depth === other.depth && one.cells < other.cells);

const leastLevelsOf = ({ stage, costs }: LayerWork) => ({
  constant: constantWeight(costs),
  after: levelsAfter(stage),
});

function outcomeOf(builder: NetworkBuilder, { sums }: NetworkLayer, work: LayerWork): Outcome {
  const reached = sums.map((sum) => (sum?.kind === "term" ? builder.levelOf(sum.term.signal) : 0));
  const network = builder.finish();
  const { lut, flipFlops } = estimateCells(network, placeInTime(network, 1), work.costs);
  return { depth: depthOf(reached, leastLevelsOf(work), work.later), cells: lut + flipFlops };
}

function makeLayer(
  builder: NetworkBuilder,
  { stage, index, inputs, used, later, costs }: LayerWork,
  { rows, offsets, levels }: Rows,
  style: Style,
): NetworkLayer {
  const { requantize, table } = stage;
  const loose = sharePatterns(builder, rows, { levels, constant: constantWeight(costs) }, style);
  const sums = loose.map((terms, output) =>
    used[output]
      ? sumRow(builder, terms, offsets[output] ?? 0, { ...style, level: levels[output] ?? 0 })
      : null,
  );
  const bounds = requantizedBounds(requantize);
  const centred = costs.needsComplements && later.length > 0 && table === null;
  const values = sums.map((sum, output) => {
    const shift = requantize.shift[output] ?? 0;
    const toEven = isToEven(requantize, output);
    return sum && clampedValue(builder, sum, { shift, toEven, bounds, centred });
  });
  const looked = table
    ? values.map((value) => value && lookedUp(builder, value, table, index))
    : null;
  const layer = { inputs, sums, values, looked };
  builder.closeLayer(layer);
  return layer;
}

/** What is added to each output's weighted inputs: bias, rounding, and what of the inputs is the same for every row. */
function offsetsOf({ dense, requantize }: Layer, inputs: readonly Value[]): number[] {
  return dense.bias.map((bias, output) => {
    let sum = bias + roundingOf(requantize, output);
    for (const [input, value] of inputs.entries()) {
      sum += (dense.weights[output * dense.inputSize + input] ?? 0) * value.constant;
    }
    return sum;
  });
}

/** What the terms of each row weigh, 2^level each: a tree of adders must be as deep as the logarithm of their sum. */
const loadsOf = (builder: NetworkBuilder, rows: readonly (readonly Term[])[]): number[] =>
  rows.map((terms) => terms.reduce((sum, { signal }) => sum + 2 ** builder.levelOf(signal), 0));
