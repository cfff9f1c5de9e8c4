import type { FamilyCosts } from "@/boards";
import type { IntegerGraph } from "../../integer/integer-graph";
import { type Layer, layersOf } from "../../integer/layers";
import { bitLength, type Range, widthOf } from "../../integer/range";
import { requantizedBounds } from "../../integer/requantize";
import { estimateCells } from "./estimate";
import { lookedUp } from "./look-up";
import { type Network, type NetworkLayer, resultsOf, type Term, type Value } from "./network";
import { isWiring, NetworkBuilder, shifted } from "./network-builder";
import { termsOf } from "./pattern";
import { placeInTime } from "./pipeline";
import { proveLayer } from "./prove";
import { isToEven, roundingOf } from "./rounding";
import { sharePatterns } from "./share-patterns";
import { type Style, stylesOf } from "./style";
import { sumRow } from "./sum-row";

/**
 * Unrolls a graph into adders: every weight as signed digits, every layer with its patterns shared and its rows summed.
 * Neurons that nothing uses and values that are the same for every row are left out.
 *
 * @param costs What adders cost on the part.
 * @param trials Ways of making each layer that are tried at most; left out, as many as pay.
 */
export function buildNetwork(graph: IntegerGraph, costs: FamilyCosts, trials?: number): Network {
  const stages = layersOf(graph);
  const used = usedOutputs(stages);
  const builder = new NetworkBuilder();
  const half = 2 ** (graph.input.width - 1);
  let inputs: readonly Value[] = Array.from({ length: graph.input.size }, (_, element) => ({
    kind: "term",
    term: {
      signal: builder.input(element, { min: -half, max: half - 1 }),
      shift: 0,
      negative: false,
    },
    constant: 0,
  }));
  for (const [index, stage] of stages.entries()) {
    const layer = buildLayer(builder, stage, inputs, {
      used: used[index] ?? [],
      index,
      isLast: index === stages.length - 1,
      costs,
      trials,
    });
    inputs = resultsOf(layer).map((value) => value ?? { kind: "constant", constant: 0 });
  }
  const network = builder.finish();
  for (const [index, stage] of stages.entries()) proveLayer(network, index, stage);
  return network;
}

/** Makes a layer in several ways and keeps the one that takes least; chance plays a part in all but the first. */
function buildLayer(
  builder: NetworkBuilder,
  stage: Layer,
  inputs: readonly Value[],
  {
    used,
    index,
    isLast,
    costs,
    trials,
  }: {
    readonly used: readonly boolean[];
    readonly index: number;
    readonly isLast: boolean;
    readonly costs: FamilyCosts;
    readonly trials: number | undefined;
  },
): NetworkLayer {
  const signals = inputs.map((value) => (value.kind === "term" ? value.term.signal : null));
  const rows = termsOf(stage.dense.weights, signals).map((terms, output) =>
    used[output] ? terms : [],
  );
  const offsets = offsetsOf(stage, inputs);
  const isCentred = costs.needsComplements && !isLast && stage.table === null;
  const { signals: before, layers } = builder.finish();
  const [signalCount, layerCount] = [before.length, layers.length];
  const make = (style: Style): NetworkLayer => {
    builder.reopenLayer(signals, signalCount, layerCount);
    const level = style.extraLevels + levelOf(builder, rows);
    const sums = sharePatterns(builder, rows, level, style).map((terms, output) =>
      used[output] ? sumRow(builder, terms, offsets[output] ?? 0, { ...style, level }) : null,
    );
    const bounds = requantizedBounds(stage.requantize);
    const values = sums.map(
      (sum, output) =>
        sum &&
        clampedValue(builder, sum, {
          shift: stage.requantize.shift[output] ?? 0,
          toEven: isToEven(stage.requantize, output),
          bounds,
          centred: isCentred,
        }),
    );
    const { table } = stage;
    const looked = table
      ? values.map((value) => value && lookedUp(builder, value, table, index))
      : null;
    const layer = { inputs, sums, values, looked };
    builder.closeLayer(layer);
    return layer;
  };
  const styles = stylesOf(costs, rows).slice(0, trials);
  let best = styles[0];
  let least = Number.POSITIVE_INFINITY;
  for (const style of styles.length > 1 ? styles : []) {
    make(style);
    const network = builder.finish();
    const { lut, flipFlops } = estimateCells(network, placeInTime(network, 1), costs);
    if (lut + flipFlops < least) [best, least] = [style, lut + flipFlops];
  }
  if (!best) throw new RangeError("There is no style.");
  return make(best);
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

/** The level by which a tree of adders can have summed every row. */
function levelOf(builder: NetworkBuilder, rows: readonly (readonly Term[])[]): number {
  const levels = rows.map((terms) =>
    bitLength(terms.reduce((sum, { signal }) => sum + 2 ** builder.levelOf(signal), 0)),
  );
  return Math.max(0, ...levels);
}

function clampedValue(
  builder: NetworkBuilder,
  sum: Value,
  {
    shift,
    toEven,
    bounds,
    centred,
  }: {
    readonly shift: number;
    readonly toEven: boolean;
    readonly bounds: Range;
    /** Whether natural numbers may be had around 0, for adders without a bare carry at the top. */
    readonly centred: boolean;
  },
): Value {
  const clamp = (value: number) => Math.min(bounds.max, Math.max(bounds.min, value));
  const scale = 2 ** shift;
  // Half way between two steps, nothing is left below them once half a step is added.
  const isHalf = toEven && sum.constant % scale === 0;
  const even = (value: number) => (isHalf && value % 2 !== 0 ? value - 1 : value);
  if (sum.kind === "constant") {
    return { kind: "constant", constant: clamp(even(Math.floor(sum.constant / scale))) };
  }
  const { term } = sum;
  const drop = shift - term.shift;
  const constant = drop < 0 ? even(Math.floor(sum.constant / scale)) : 0;
  const { min, max } = shifted(builder.rangeOf(term.signal), drop, constant);
  const goesDown = isHalf && drop >= 0;
  const range = { min: clamp(goesDown ? even(min) : min), max: clamp(max) };
  if (range.min === range.max) return { kind: "constant", constant: range.min };
  const clamped = {
    source: term.signal,
    drop,
    constant,
    bounds,
    ...(goesDown ? { toEven: true } : {}),
    ...range,
  };
  const isLogic = !isWiring({ kind: "clamp", ...clamped }, builder.rangeOf(term.signal));
  const centre = centred && isLogic && range.min >= 0 ? 2 ** (widthOf(range) - 1) : 0;
  const signal = builder.clamp(
    centre === 0
      ? clamped
      : { ...clamped, centre, min: range.min - centre, max: range.max - centre },
  );
  return { kind: "term", term: { signal, shift: 0, negative: false }, constant: centre };
}

/** Per layer, which outputs reach the answer through weights other than 0. */
function usedOutputs(stages: readonly Layer[]): boolean[][] {
  let used: boolean[] = Array.from({ length: stages.at(-1)?.dense.outputSize ?? 0 }, () => true);
  const layers: boolean[][] = [];
  for (const { dense } of [...stages].reverse()) {
    layers.unshift(used);
    used = Array.from({ length: dense.inputSize }, (_, input) =>
      used.some((is, output) => is && dense.weights[output * dense.inputSize + input] !== 0),
    );
  }
  return layers;
}
