import { composeElementwise, type ElementwiseProgram } from "@/lib/common/elementwise";
import { refuseModel } from "../graph/refuse";
import { operandsOf } from "../integer/integer-graph";
import { sizeOf } from "../integer/integer-maps";
import type { NetworkOutput } from "../model/dense-network";
import { append, type Chain, isOutdated, mapOf } from "../model/maps/chain";
import {
  type ConvolutionLayer,
  copyLayer,
  movedTo,
  pixelWindow,
  type RawLayer,
  rowMap,
  rowView,
} from "../model/maps/layers";
import { isInOrder, newValue, type Value } from "../model/maps/value";
import { isUniform, operation, uniform } from "./functions";
import { isRowLayer, overRow } from "./row-layer";

type Outputs = readonly [NetworkOutput, ...NetworkOutput[]];

/** The layers of a model with the one value that all outputs are made of. */
export interface AnsweringLayers {
  readonly layers: readonly RawLayer[];
  readonly scores: Value;
  readonly outputs: Outputs;
}

/** What one or more outputs are made of: sums of a row, and what the host does with each of them. */
interface Part {
  readonly sums: ConvolutionLayer;
  readonly program: ElementwiseProgram;
  /** Layers that nothing else needs, now that the sums are part of the last layer. */
  readonly spent: readonly number[];
}

/**
 * Gives a model one value that all outputs are made of. Where they are made of values of several layers, one last layer
 * makes all of those, and each output has its part of the scores.
 *
 * @param names Of the outputs in the graph.
 * @throws {AppError} `MODEL_UNSUPPORTED` for an output that is not the end of the layers, or whose values are in no order.
 */
export function joinOutputs(
  chain: Chain,
  names: readonly string[],
  outputs: Outputs,
): AnsweringLayers {
  const { layers } = chain;
  const values = names.map((name) => {
    const value = chain.values.get(name);
    if (!value) throw refuseModel(`Output "${name}" is not the end of the layers.`);
    if (value.joinsBatch) {
      throw refuseModel(`Output "${name}" has several rows for each row of the input.`);
    }
    if (isOutdated(chain, value)) {
      throw refuseModel(`Output "${name}" is an input that the model scales elsewhere.`);
    }
    return value;
  });
  const unlike = values.filter((value, at) => firstAlike(values, value) === at);
  const [scores] = values;
  if (!scores) throw new RangeError("A graph has outputs.");
  if (unlike.length === 1) return { layers, scores, outputs };
  const parts = unlike.map((value) => {
    requireOrder(value, names[values.indexOf(value)] ?? "");
    return partOf(chain, value, unlike);
  });
  const firsts = runningTotals(parts.map(({ sums }) => sums.output.channels));
  const partOfOutput = (output: NetworkOutput, at: number): NetworkOutput => {
    const own = firstAlike(unlike, values[at] ?? scores);
    const { program = [], sums } = parts[own] ?? {};
    return {
      ...output,
      part: { first: firsts[own] ?? 0, count: sums?.output.channels ?? 0 },
      ...(program.length > 0 ? { elementwise: program } : {}),
    };
  };
  const [output, ...more] = outputs;
  return {
    ...withLastLayer(chain, parts),
    outputs: [partOfOutput(output, 0), ...more.map((each, at) => partOfOutput(each, at + 1))],
  };
}

const firstAlike = (values: readonly Value[], { layer, order }: Value): number =>
  values.findIndex(
    (each) =>
      each.layer === layer &&
      each.order.length === order.length &&
      each.order.every((place, at) => place === order[at]),
  );

function requireOrder(value: Value, name: string): void {
  if (isInOrder(value, value.layer < 0 ? value.order[0] : 0)) return;
  throw refuseModel(
    `Output "${name}" is a map whose channels come first; FPGA boards answer channels last. End it with a flattened layer.`,
  );
}

/** Where each of some counts begins. */
const runningTotals = (counts: readonly number[]): number[] =>
  counts.map((_, at) => counts.slice(0, at).reduce((sum, count) => sum + count, 0));

/** What the host can do with sums is left to it; sums of a row go as they are, other values as sums of themselves. */
function partOf(chain: Chain, value: Value, unlike: readonly Value[]): Part {
  const { layers } = chain;
  const usersOf = (place: number) =>
    layers.filter((layer) => operandsOf(layer).includes(place)).length +
    unlike.filter(({ layer }) => layer === place).length;
  const spent: number[] = [];
  let program: ElementwiseProgram = [];
  let place = value.layer;
  let layer = layers[place];
  for (let own = hostProgram(layer); own && usersOf(place) === 1; own = hostProgram(layer)) {
    program = composeElementwise(own, program);
    spent.push(place);
    place = layer ? (operandsOf(layer)[0] ?? -1) : -1;
    layer = layers[place];
  }
  if (isRowLayer(layer) && usersOf(place) === 1) {
    return { sums: layer, program, spent: [...spent, place] };
  }
  return {
    sums: sumsOfThemselves(layer?.name ?? "input", { ...value, layer: place }),
    program,
    spent,
  };
}

/** A layer that the host can do to the scores, as a function of each. */
function hostProgram(layer: RawLayer | undefined): ElementwiseProgram | null {
  if (layer?.kind === "relu") return [operation("Relu")];
  if (layer?.kind === "elementwise") return layer.program;
  return layer?.kind === "affine" && isUniform(layer) ? uniform(layer) : null;
}

function sumsOfThemselves(name: string, { layer, order }: Value): ConvolutionLayer {
  const size = order.length;
  const weights = new Float64Array(size * size);
  for (let at = 0; at < size; at++) weights[at * (size + 1)] = 1;
  return {
    kind: "convolution",
    name: `${name}/answer`,
    from: layer,
    input: rowView(order[0] ?? 0, size),
    output: rowMap(size),
    window: pixelWindow,
    groups: 1,
    weights,
    bias: new Float64Array(size),
    relu: false,
  };
}

/** One layer behind the others sums all parts: over the row that they share, or over their rows one behind the other. */
function withLastLayer(chain: Chain, parts: readonly Part[]): Omit<AnsweringLayers, "outputs"> {
  const { layers, placeOf } = without(chain.layers, new Set(parts.flatMap(({ spent }) => spent)));
  const end: Chain = { ...chain, layers };
  const sums = parts.map((part) => ({ ...part.sums, from: placeOf(part.sums.from) }));
  const isShared = sums.every(({ from }) => from === sums[0]?.from);
  const rows = isShared
    ? sums
    : sums.map((each) => (each.from < 0 ? behindInput(end, each) : each));
  const sources = [...new Set(rows.map(({ from }) => from))];
  const sizes = sources.map((layer) => sizeOf(mapOf(end, { layer })));
  const size = sizes.reduce((sum, each) => sum + each, 0);
  const name = rows.map((each) => each.name).join("+");
  const from = isShared
    ? (sources[0] ?? -1)
    : append(end, {
        kind: "concat",
        name: `${name}/rows`,
        from: sources,
        channels: sizes,
        output: rowMap(size),
      });
  const firsts = runningTotals(sizes);
  const blocks = rows.map((each) => {
    return overRow(each, size, firsts[sources.indexOf(each.from)]);
  });
  const output = rowMap(blocks.reduce((sum, each) => sum + each.output.channels, 0));
  const layer = append(end, {
    kind: "convolution",
    name,
    from,
    input: rowView(0, size),
    output,
    window: pixelWindow,
    groups: 1,
    weights: Float64Array.from(blocks.flatMap(({ weights }) => Array.from(weights))),
    bias: Float64Array.from(blocks.flatMap(({ bias }) => Array.from(bias))),
    relu: false,
  });
  return { layers, scores: newValue(layer, output, [output.channels]) };
}

/** Sums of the input, as sums of a layer that passes the input on: a row of several has no input in it. */
function behindInput(chain: Chain, sums: ConvolutionLayer): ConvolutionLayer {
  const { name, from, input } = sums;
  const passed = append(chain, copyLayer(`${name}/input`, from, input));
  return { ...sums, from: passed, input: rowView(0, input.channels) };
}

/** Layers without some of them, and where each of the others went. */
function without(layers: readonly RawLayer[], spent: ReadonlySet<number>) {
  const places: number[] = [];
  const kept: RawLayer[] = [];
  const placeOf = (place: number) => (place < 0 ? place : (places[place] ?? -1));
  for (const [place, layer] of layers.entries()) {
    places.push(kept.length);
    if (!spent.has(place)) kept.push(movedTo(layer, placeOf));
  }
  return { layers: kept, placeOf };
}
