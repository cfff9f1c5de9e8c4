import { operandsOf } from "../integer/integer-graph";
import {
  type ConvolutionLayer,
  type ElementwiseLayer,
  movedTo,
  type RawLayer,
  type ReluLayer,
  rowMap,
  rowView,
  scaled,
} from "../model/maps/layers";
import type { ReadModel } from "./read-model";
import { isRowLayer, overRow } from "./row-layer";

type Layers = Pick<ReadModel, "layers" | "inputSize" | "inputScale" | "scores">;
type Level = ConvolutionLayer | ReluLayer | ElementwiseLayer;
/** Layers one behind the other, from the inputs to where towers meet. */
type Tower = readonly Level[];

/** The layers up to where towers meet, and those behind. */
interface Met {
  readonly levels: readonly Level[];
  readonly rest: readonly RawLayer[];
}

/** Of a layer on the walk: cycles beside its products, and the fewest that a group of outputs takes. */
const walk = { overhead: 18, least: 8 } as const;
/** At which both are compared. */
const lanes = 8;

/**
 * Towers of dense layers that begin at the inputs and meet in a Concat or Add, as one chain: layers of one depth become one
 * layer over the values of all of them, with weights of 0 between towers.
 *
 * @returns Null for layers that are no such towers, or of unlike depth or functions, and where those weights would make an
 *   array of multipliers slower than a walk over each tower by itself.
 */
export function joinTowers(model: Layers): Layers | null {
  const { layers, inputSize, scores } = model;
  const place = layers.findIndex(({ kind }) => kind === "concat" || kind === "add");
  const meeting = layers[place];
  if (!meeting || scores.layer < place) return null;
  const readers = readersOf(layers);
  const places = operandsOf(meeting).map((end) => placesOf(layers, readers, end));
  const isWhole = new Set(places.flat()).size === place && places.flat().length === place;
  if (!isWhole) return null;
  const towers = places.map((own) => towerOf(own.flatMap((each) => layers[each] ?? [])));
  const levels = levelsOf(towers, inputSize);
  if (!levels || !isQuicker(towers, levels)) return null;
  const rest = layers.slice(place + 1);
  const met = meeting.kind === "add" ? summed(levels, rest, channelsOf(meeting)) : { levels, rest };
  if (!met) return null;
  const before = met.levels.map((level, at) => ({ ...level, from: at - 1 }));
  const moved = met.rest.map((each) => movedTo(each, (from) => from - place + before.length - 1));
  const shift = before.length - 1 - place;
  return {
    ...model,
    layers: [...before, ...moved],
    scores: { ...scores, layer: scores.layer + shift },
  };
}

/** How many layers read each one. */
function readersOf(layers: readonly RawLayer[]): readonly number[] {
  const readers = layers.map(() => 0);
  for (const layer of layers) {
    for (const place of new Set(operandsOf(layer))) readers[place] = (readers[place] ?? 0) + 1;
  }
  return readers;
}

/** The layers that end at a place, each read by the next one alone; none where one is read by more. */
function placesOf(layers: readonly RawLayer[], readers: readonly number[], end: number): number[] {
  const places: number[] = [];
  for (let place = end; place >= 0; ) {
    const layer = layers[place];
    if (!layer || readers[place] !== 1) return [];
    const operands = operandsOf(layer);
    if (operands.length !== 1) return [];
    places.push(place);
    place = operands[0] ?? -1;
  }
  return places.reverse();
}

/** Scales and offsets are part of the sums before them; a tower of anything but sums and functions is none. */
function towerOf(layers: readonly RawLayer[]): Tower {
  const tower: Level[] = [];
  for (const layer of layers) {
    const before = tower.at(-1);
    if (layer.kind === "affine" && before?.kind === "convolution") {
      tower[tower.length - 1] = scaled(before, layer);
    } else if (isRowLayer(layer)) tower.push(layer);
    else if (before && (layer.kind === "relu" || layer.kind === "elementwise")) tower.push(layer);
    else return [];
  }
  return tower;
}

/** The layers of all towers at each depth as one; null where towers differ. */
function levelsOf(towers: readonly Tower[], inputSize: number): Level[] | null {
  const depth = towers[0]?.length ?? 0;
  if (depth === 0 || towers.some(({ length }) => length !== depth)) return null;
  const levels: Level[] = [];
  for (let at = 0; at < depth; at++) {
    const row = towers.flatMap((tower) => tower[at] ?? []);
    const level = joinedLevel(row, at === 0 ? inputSize : null);
    if (!level) return null;
    levels.push(level);
  }
  return levels;
}

/** @param inputSize Of layers that read the inputs, each a part of that row; null where each reads its own tower. */
function joinedLevel(row: readonly Level[], inputSize: number | null): Level | null {
  const [first] = row;
  if (!first) return null;
  const name = row.map((layer) => layer.name).join("+");
  const output = rowMap(sumOf(row.map(channelsOf)));
  const dense = row.filter(isRowLayer);
  if (dense.length === row.length) return { ...blockDiagonal(dense, inputSize), name, output };
  const isAlike = row.every((layer) => functionOf(layer) === functionOf(first));
  return isAlike && first.kind !== "convolution" ? { ...first, name, output } : null;
}

const functionOf = (layer: Level): string =>
  layer.kind === "elementwise" ? JSON.stringify(layer.program) : layer.kind;

const channelsOf = ({ output }: RawLayer): number => output.channels;
const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);

function blockDiagonal(row: readonly ConvolutionLayer[], inputSize: number | null) {
  const [first] = row;
  if (!first) throw new RangeError("A level has layers.");
  const sizes = row.map(({ input }) => input.channels);
  const size = inputSize ?? sumOf(sizes);
  const blocks = row.map((layer, at) =>
    overRow(layer, size, inputSize === null ? sumOf(sizes.slice(0, at)) : 0),
  );
  return {
    ...first,
    input: rowView(0, size),
    weights: Float64Array.from(blocks.flatMap(({ weights }) => Array.from(weights))),
    bias: Float64Array.from(blocks.flatMap(({ bias }) => Array.from(bias))),
  };
}

/** Whether an array needs fewer cycles for the joined layers than a walk for the towers one after the other. */
function isQuicker(towers: readonly Tower[], levels: readonly Level[]): boolean {
  const groups = ({ output }: ConvolutionLayer) => Math.ceil(output.channels / lanes);
  const joined = levels.filter(isRowLayer).map((each) => groups(each) * each.input.channels);
  const apart = towers
    .flat()
    .filter(isRowLayer)
    .map((each) => groups(each) * Math.max(walk.least, each.input.channels) + walk.overhead);
  return sumOf(joined) < sumOf(apart);
}

/**
 * Levels that end in the sum of all towers, which their last sums make, or the dense layer behind them.
 *
 * @param size Values of each tower.
 * @returns The levels and what is behind them; null where neither can make it.
 */
function summed(
  levels: readonly Level[],
  [next, ...rest]: readonly RawLayer[],
  size: number,
): Met | null {
  const last = levels.at(-1);
  if (last?.kind === "convolution") {
    const { channels } = last.input;
    const total = new Float64Array(size * channels);
    for (const [at, weight] of last.weights.entries()) {
      total[at % total.length] = (total[at % total.length] ?? 0) + weight;
    }
    const bias = new Float64Array(size);
    for (const [at, each] of last.bias.entries()) bias[at % size] = (bias[at % size] ?? 0) + each;
    const sums = { ...last, output: rowMap(size), weights: total, bias };
    return { levels: [...levels.slice(0, -1), sums], rest: next ? [next, ...rest] : [] };
  }
  if (!last || !isRowLayer(next) || next.input.channels !== size) return null;
  const width = last.output.channels;
  const weights = Float64Array.from({ length: next.output.channels * width }, (_, at) => {
    const [output, input] = [Math.floor(at / width), at % width];
    return next.weights[output * size + (input % size)] ?? 0;
  });
  return { levels, rest: [{ ...next, input: rowView(0, width), weights }, ...rest] };
}
