import { type IntegerNode, type Link, operandsOf } from "../../integer/integer-graph";
import { type MapShape, type MapView, sizeOf } from "../../integer/integer-maps";
import { type AddLayer, type ConvolutionLayer, rowView } from "../../model/maps/layers";
import { invalid } from "../../model/quantizer";
import { accumulatorWidth } from "../accumulator-width";
import { gridOfView, overOneGrid } from "./input-grids";
import { bitsFor, type Grid, integerLayer } from "./integer-layer";
import { layerOf, type QuantizedLayer } from "./quantized-layers";
import type { Draft, KeptDraft, SumDraft } from "./quantized-maps";

/** What the array that walks through maps holds of a value, a weight, and a shift. */
const held = { values: 8, weights: 8, lift: 7, shift: 15, factor: 64 } as const;

/** Where the values of a draft are, and on which grid. */
interface Placed {
  readonly place: number;
  readonly grid: Grid;
}

interface Made {
  readonly nodes: readonly IntegerNode[];
  /** Of what the last of them leaves. */
  readonly grid: Grid;
}

/**
 * The nodes of a quantised model, on its own grids.
 *
 * @param last What is done to the last sum, without what the host does.
 * @throws {AppError} `QUANTIZER_INVALID` naming node and fault.
 */
export function integerMaps(
  drafts: readonly Draft[],
  { inputs, last }: { readonly inputs: readonly Grid[]; readonly last: QuantizedLayer },
): Made {
  const nodes: IntegerNode[] = [];
  /** By draft: the place of its node, and the grid of its values. */
  const made: Placed[] = [];
  const of = (draft: number, view = rowView(0, inputs.length)): Placed | null => {
    const grid = gridOfView(inputs, view);
    return made[draft] ?? (grid && { place: -1, grid });
  };
  const added = addedDrafts(drafts);
  for (const [at, draft] of drafts.entries()) {
    const isLast = at === drafts.length - 1;
    if (draft.kind === "sum") {
      const layer = isLast ? last : layerOf(denseOf(draft.layer), draft.after);
      const around = { of, inputs, first: nodes.length, isLast, isAdded: added.has(at) };
      const result = sumNodes(draft, layer, around);
      nodes.push(...result.nodes);
      for (const pool of draft.pools) {
        const { name, input: view, output, window } = pool;
        const from = nodes.length - 1;
        const paddingValue = result.grid.min;
        nodes.push({ op: "max-pool", name, from, input: view, output, window, paddingValue });
      }
      made.push({ place: nodes.length - 1, grid: result.grid });
      continue;
    }
    const view = "input" in draft.layer ? draft.layer.input : undefined;
    const parts = operandsOf(draft.layer).map((from) => placed(draft.layer, of(from, view)));
    const grid = widest(parts.map((part) => part.grid));
    nodes.push(keptNode(draft, { parts, grid }));
    made.push({ place: nodes.length - 1, grid });
  }
  const grid = made.at(-1)?.grid;
  if (!grid) throw new RangeError("A model has a layer.");
  return { nodes, grid };
}

/** @throws {AppError} `QUANTIZER_INVALID` for inputs that lie beside each other on grids of their own. */
function placed(
  { name, kind }: Pick<Draft["layer"], "name" | "kind">,
  found: Placed | null,
): Placed {
  if (found) return found;
  const operator = { convolution: "Conv", add: "Add", concat: "Concat", "max-pool": "MaxPool" }[
    kind
  ];
  throw invalid({ name, operator }, "works on inputs of unlike grids beside each other");
}

/**
 * Drafts whose values are read by a sum of two maps, which reads both as signed bytes. What is joined with them has to
 * have their offset, so it is one of them too.
 */
function addedDrafts(drafts: readonly Draft[]): ReadonlySet<number> {
  const added = new Set<number>();
  const add = (place: number): void => {
    if (place < 0 || added.has(place)) return;
    added.add(place);
    const own = drafts[place];
    if (own?.kind === "kept") operandsOf(own.layer).forEach(add);
    for (const [at, { kind, layer }] of drafts.entries()) {
      if (kind === "kept" && operandsOf(layer).includes(place)) add(at);
    }
  };
  for (const { layer } of drafts) if (layer.kind === "add") layer.from.forEach(add);
  return added;
}

/** A node that leaves values on the grid on which they were. */
function keptNode(
  { layer }: KeptDraft,
  { parts, grid }: { readonly parts: readonly Placed[]; readonly grid: Grid },
): IntegerNode {
  const { name, output } = layer;
  if (layer.kind === "max-pool") {
    const { input, window } = layer;
    const from = parts[0]?.place ?? -1;
    return { op: "max-pool", name, from, input, output, window, paddingValue: grid.min };
  }
  const isAlike = (part: Placed) =>
    part.grid.fraction === grid.fraction && part.grid.offset === grid.offset;
  if (!parts.every(isAlike)) {
    throw invalid({ name, operator: "Concat" }, "joins maps of unlike grids");
  }
  if (!isByte(grid)) {
    throw invalid({ name, operator: "Concat" }, "joins signed values with unsigned ones above 127");
  }
  const from = parts.map(({ place }) => place);
  return { op: "concat", name, from, channels: layer.channels, output };
}

interface Around {
  /** Where a draft's values are; null for inputs of unlike grids. */
  readonly of: (draft: number, view?: MapView) => Placed | null;
  /** The grids of a row: one for all values, or one for each. */
  readonly inputs: readonly Grid[];
  /** The place of the first node. */
  readonly first: number;
  readonly isLast: boolean;
  /** Whether a sum of two maps reads the values, so that they have to be signed. */
  readonly isAdded: boolean;
}

const isSignedByte = ({ min, max }: Pick<Grid, "min" | "max">) => min >= -128 && max <= 127;
/** Whether a signed or an unsigned byte holds all values. */
const isByte = (grid: Pick<Grid, "min" | "max">) =>
  isSignedByte(grid) || (grid.min >= 0 && grid.max <= 255);

const widest = (grids: readonly Grid[]): Grid => ({
  fraction: grids[0]?.fraction ?? 0,
  offset: grids[0]?.offset ?? 0,
  min: Math.min(...grids.map(({ min }) => min)),
  max: Math.max(...grids.map(({ max }) => max)),
});

/** A layer over maps as rows of weights, one for each output channel. */
export function denseOf(layer: ConvolutionLayer | AddLayer): QuantizedLayer["dense"] {
  const { name, output } = layer;
  if (layer.kind === "add") {
    const [weights, bias] = [Float64Array.of(1, 1), new Float64Array(1)];
    return { kind: "dense", name, inputSize: 2, outputSize: 1, weights, bias };
  }
  const inputSize = layer.weights.length / output.channels;
  const { weights, bias } = layer;
  return { kind: "dense", name, inputSize, outputSize: output.channels, weights, bias };
}

function sumNodes({ layer }: SumDraft, quantized: QuantizedLayer, around: Around): Made {
  return layer.kind === "add"
    ? addNodes(layer, quantized, around)
    : convolutionNodes(layer, quantized, around);
}

function convolutionNodes(
  layer: ConvolutionLayer,
  own: QuantizedLayer,
  { of, inputs, first, isLast, isAdded }: Around,
): Made {
  const found = of(layer.from, layer.input);
  const isRow = layer.input.height === 1 && layer.input.width === 1;
  const { layer: quantized, grid: input } =
    found || !isRow
      ? { layer: own, ...placed(layer, found) }
      : overOneGrid(own, gridsOfChannels(layer, inputs));
  const place = found?.place ?? -1;
  const made = integerLayer(quantized, input, isLast);
  const { nodes, grid } = moved(made, { input, isLast, isAdded });
  const [dense, ...rest] = nodes;
  if (dense?.op !== "dense") throw new RangeError("A layer begins with its sums.");
  const { name, input: view, output, window, groups } = layer;
  const { weights, weightWidth, bias, accumulatorWidth: width } = dense;
  refuseWideWeights(name, weights, weights.length / output.channels);
  const node: IntegerNode = {
    op: "convolution",
    name,
    from: place,
    input: view,
    output,
    window,
    paddingValue: -input.offset,
    groups,
    weights,
    weightWidth,
    bias,
    accumulatorWidth: width,
  };
  return { nodes: [node, ...behind(rest, { first, output, name })], grid };
}

/** Of the channel of a single pixel of the inputs that a weight multiplies. */
function gridsOfChannels(
  { input, output, groups, weights }: ConvolutionLayer,
  inputs: readonly Grid[],
) {
  const size = weights.length / output.channels;
  return (channel: number, at: number) => {
    const group = Math.floor((channel * groups) / output.channels);
    return inputs[(input.first ?? 0) + (group * size + at) * input.strides[2]];
  };
}

/** Both operands on the finer one's grid. */
function addNodes(
  layer: AddLayer,
  quantized: QuantizedLayer,
  { of, first, isLast, isAdded }: Around,
): Made {
  const [left, right] = [placed(layer, of(layer.from[0])), placed(layer, of(layer.from[1]))];
  const fraction = Math.max(left.grid.fraction, right.grid.fraction);
  const factorOf = ({ grid }: Placed) => 2 ** (fraction - grid.fraction);
  const weights = Float64Array.of(factorOf(left), factorOf(right));
  const offsets = [left, right].reduce((sum, each) => sum + factorOf(each) * each.grid.offset, 0);
  const input = { ...widest([left.grid, right.grid]), fraction, offset: 0 };
  const dense = { ...quantized.dense, weights, bias: Float64Array.of(offsets * 2 ** -fraction) };
  const result = integerLayer({ ...quantized, dense }, input, isLast);
  const { nodes, grid } = moved(result, { input, isLast, isAdded });
  const [sum, ...rest] = nodes;
  if (sum?.op !== "dense") throw new RangeError("A layer begins with its sums.");
  const { name, output } = layer;
  const [a = 1, b = 1] = sum.weights;
  if (Math.max(a, b) > held.factor) {
    throw invalid(
      { name, operator: "Add" },
      "adds values whose grids are more than 64 times apart",
    );
  }
  const [bias = 0] = sum.bias;
  const node: IntegerNode = {
    op: "add",
    name,
    from: [left.place, right.place],
    ...(a === 1 && b === 1 ? {} : { factors: [a, b] as const }),
    ...(bias === 0 ? {} : { bias }),
    output,
    accumulatorWidth: sum.accumulatorWidth,
  };
  return { nodes: [node, ...behind(rest, { first, output, name })], grid };
}

/** What follows a sum, for all pixels of its map. */
function behind(
  nodes: readonly Link[],
  {
    first,
    output,
    name,
  }: { readonly first: number; readonly output: MapShape; readonly name: string },
): IntegerNode[] {
  return nodes.map((node, index): IntegerNode => {
    const from = first + index;
    if (node.op === "requantize") {
      const furthest = Math.max(...node.shift);
      if (furthest > held.shift) {
        throw invalid(
          { name, operator: "QuantizeLinear" },
          `is ${furthest} bits coarser than the sums before it; ${held.shift} are taken`,
        );
      }
      return { ...node, from, size: sizeOf(output) };
    }
    if (node.op !== "table") throw new RangeError(`${node.name} does not follow a sum.`);
    if (node.width > held.values) {
      throw invalid({ name, operator: "QuantizeLinear" }, "leaves values of more than 8 bits");
    }
    return { ...node, from, size: sizeOf(output) };
  });
}

/**
 * Values that neither a signed nor an unsigned byte holds are moved until one does, as inputs are; those of a sum of two
 * maps until a signed one does.
 *
 * @throws {AppError} `QUANTIZER_INVALID` for grids of more than 256 values.
 */
function moved(
  made: { readonly nodes: readonly Link[]; readonly grid: Grid },
  { input, isLast, isAdded }: Pick<Around, "isLast" | "isAdded"> & { readonly input: Grid },
): { readonly nodes: readonly Link[]; readonly grid: Grid } {
  const { nodes, grid } = made;
  const [dense, requantize, table] = nodes;
  if (isLast || dense?.op !== "dense" || requantize?.op !== "requantize") return made;
  const { min, max } = grid;
  if (max - min >= 2 ** held.values) {
    throw invalid(
      { name: dense.name, operator: "QuantizeLinear" },
      `leaves ${max - min + 1} values; 256 are taken`,
    );
  }
  if (isAdded ? isSignedByte(grid) : isByte(grid)) return made;
  const offset = min + 128;
  const bounds = { min: min - offset, max: max - offset };
  const format = { width: held.values, signed: true } as const;
  const shown = bounds.max === 127 ? {} : { bounds };
  if (table?.op === "table") {
    const values = table.values.map((value) => value - offset);
    return {
      nodes: [dense, requantize, { ...table, ...format, values }],
      grid: { ...grid, ...bounds, offset },
    };
  }
  const { bounds: _, ...rest } = requantize;
  const bias = dense.bias.map((each, at) => each - offset * 2 ** (rest.shift[at] ?? 0));
  // An even step less an odd number is an odd one.
  const isTurned = rest.rounding === "half-even" && offset % 2 !== 0;
  const width = accumulatorWidth({
    ...dense,
    bias,
    inputSigned: input.min < 0,
    inputWidth: bitsFor(input.min, input.max, input.min < 0),
  });
  return {
    nodes: [
      { ...dense, bias, accumulatorWidth: width },
      { ...rest, ...format, ...shown, ...(isTurned ? { rounding: "half-odd" as const } : {}) },
    ],
    grid: { ...grid, ...bounds, offset },
  };
}

/** @throws {AppError} `QUANTIZER_INVALID` for weights that the memories do not hold, zeros at their end left out. */
function refuseWideWeights(name: string, weights: readonly number[], size: number): void {
  for (let first = 0; first < weights.length; first += size) {
    const own = weights.slice(first, first + size);
    let lift = 0;
    while (lift < held.lift && own.every((weight) => weight % 2 ** (lift + 1) === 0)) lift++;
    const least = own.reduce((min, weight) => Math.min(min, weight), 0) / 2 ** lift;
    const most = own.reduce((max, weight) => Math.max(max, weight), 0) / 2 ** lift;
    if (bitsFor(least, most, true) <= held.weights) continue;
    throw invalid(
      { name, operator: "Conv" },
      `has weights of more than ${held.weights} bits at output ${first / size}`,
    );
  }
}
