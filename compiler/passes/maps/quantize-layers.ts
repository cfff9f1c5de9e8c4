import { boundsOf, type FixedPoint } from "@/lib/common/fixed-point";
import type {
  IntegerGraph,
  IntegerNode,
  RequantizeNode,
  Unplaced,
} from "../../integer/integer-graph";
import { sizeOf } from "../../integer/integer-maps";
import { widthOf } from "../../integer/range";
import {
  type AddLayer,
  type ConvolutionLayer,
  isSumming,
  type Layer,
  type ProductLayer,
} from "../../model/maps/layers";
import { inputFormatOf, type Precision, weightBitsOf } from "../precision";
import { quantizeLayer } from "../quantize-network";
import { isSignedOn, type Looked, largestOn, tableInput, tableNode } from "../tables";
import { chooseFormats, type Formats } from "./formats";

export interface QuantizeRequest {
  /** Over standardised inputs. */
  readonly layers: readonly Layer[];
  /** The magnitude that each layer's values must hold. */
  readonly ranges: readonly number[];
  /** Functions of the layers that have one, by `tablesOf`. */
  readonly tables: readonly (Table | null)[];
  /** Layers whose largest weights may be clipped. */
  readonly clipped: readonly boolean[];
  readonly precision: Precision;
  readonly input: { readonly name: string; readonly size: number };
  readonly outputName: string;
}

/** Turns float layers into the integer graph. */
export function quantizeLayers(request: QuantizeRequest): IntegerGraph {
  const { layers, ranges, tables, precision, input, outputName } = request;
  const inputFormat = inputFormatOf(precision);
  const formats = chooseFormats(layers, {
    // A table has no results beyond its own, whatever calibration leaves room for.
    ranges: ranges.map((range, place) => Math.min(range, tables[place]?.largest ?? range)),
    input: inputFormat,
    hiddenBits: precision.activationBits,
    hasSign: (place) => {
      const [layer, table] = [layers[place], tables[place]];
      if (table) return table.isSigned;
      return layer !== undefined && isSumming(layer) && !layer.relu;
    },
  });
  let nodes = quantizeAll(request, formats);
  // Grids only ever get coarser, so this ends.
  while (nodes === null) nodes = quantizeAll(request, formats);
  const last = layers.length - 1;
  const output = layers[last]?.output;
  return {
    schemaVersion: 2,
    input: { ...input, width: inputFormat.width, fraction: inputFormat.fraction },
    nodes,
    output: {
      name: outputName,
      size: output ? sizeOf(output) : 0,
      width: 16,
      fraction: formats.of(last).fraction,
    },
  };
}

/** @returns Null when a grid had to be coarsened that an earlier layer has already used. */
function quantizeAll(request: QuantizeRequest, formats: Formats): IntegerNode[] | null {
  const { layers, tables, precision, clipped } = request;
  const nodes: IntegerNode[] = [];
  const lookUp = (place: number, values: FixedPoint & { readonly size: number }) => {
    const table = tables[place];
    if (!table) return;
    const node = tableNode(table, values, values.size, formats.of(place));
    nodes.push({ ...node, from: nodes.length - 1 });
  };
  /** Appends sums with their requantisation. @returns Whether a grid that it coarsened is used by an earlier layer. */
  const spoils = (
    place: number,
    [sum, requantize]: readonly [IntegerNode, Unplaced<RequantizeNode>],
    { fraction }: FixedPoint,
  ): boolean => {
    nodes.push(sum, { ...requantize, from: nodes.length });
    lookUp(place, requantize);
    const isCoarser = !tables[place] && requantize.fraction < fraction;
    return isCoarser && formats.coarsen(place, requantize.fraction);
  };
  /** The node with the values of each layer. */
  const places: number[] = [];
  const placeOf = (layer: number) => (layer < 0 ? -1 : (places[layer] ?? -1));
  for (const [place, layer] of layers.entries()) {
    const wanted = tables[place]?.input ?? formats.of(place);
    if (layer.kind === "convolution") {
      const sums = quantizeConvolution(layer, {
        from: placeOf(layer.from),
        input: formats.of(layer.from),
        wanted,
        clipped: clipped[place] === true,
        weightBits: weightBitsOf(precision, place),
      });
      if (spoils(place, sums, wanted)) return null;
    } else if (layer.kind === "add") {
      const input = formats.of(layer.from[0]);
      // Values much finer than their sum's grid would need a longer shift than there is.
      const finest = wanted.fraction + maxShift;
      if (input.fraction > finest && layer.from[0] >= 0) {
        formats.coarsen(layer.from[0], finest);
        return null;
      }
      const fraction = Math.max(
        input.fraction - maxShift,
        Math.min(wanted.fraction, input.fraction),
      );
      const from = layer.from.map(placeOf);
      const sums = quantizeAdd(layer, { from, formats, wanted, fraction });
      if (spoils(place, sums, wanted)) return null;
    } else if (layer.kind === "product") {
      const [left, right] = layer.from.map((from) => formats.of(from));
      const finest = (left?.fraction ?? 0) + (right?.fraction ?? 0);
      // Products much finer than their sum's grid would need a longer shift than there is.
      if (finest > wanted.fraction + maxShift) {
        formats.coarsen(layer.from[1], wanted.fraction + maxShift - (left?.fraction ?? 0));
        return null;
      }
      const fraction = Math.min(wanted.fraction, finest);
      const from = layer.from.map(placeOf);
      const sums = quantizeProduct(layer, { from, formats, wanted, fraction });
      if (spoils(place, sums, wanted)) return null;
    } else if (layer.kind === "max-pool") {
      const { name, input, output, window } = layer;
      const { min } = boundsOf(formats.of(place));
      const from = placeOf(layer.from);
      nodes.push({ op: "max-pool", name, from, input, output, window, paddingValue: min });
    } else {
      const { name, channels, output } = layer;
      nodes.push({ op: "concat", name, from: layer.from.map(placeOf), channels, output });
    }
    places.push(nodes.length - 1);
  }
  return nodes;
}

interface Functions {
  readonly layers: readonly Layer[];
  /** The magnitude of what each layer's function is taken of. */
  readonly spans: readonly number[];
  /** Some of its arguments. */
  readonly met: readonly (readonly number[])[];
  readonly precision: Precision;
}

/** A layer's function with the grid of its arguments, as far as the layer's sums can be as fine. */
export interface Table extends Looked {
  readonly input: FixedPoint;
  /** Whether some result is below 0, and the largest magnitude of one. */
  readonly isSigned: boolean;
  readonly largest: number;
}

/** The functions of all layers on the grids that fit them best. */
export function tablesOf({ layers, spans, met, precision }: Functions): (Table | null)[] {
  return layers.map((layer, place) => {
    const program = "elementwise" in layer ? layer.elementwise : undefined;
    if (!program) return null;
    const looked = {
      name: layer.name,
      program,
      range: spans[place] ?? 0,
      met: met[place] ?? [],
      width: precision.activationBits,
    };
    const input = tableInput(looked);
    return {
      ...looked,
      input,
      isSigned: isSignedOn(looked, input),
      largest: largestOn(looked, input),
    };
  });
}

/** Largest shift of the hardware. */
const maxShift = 15;

function quantizeConvolution(
  layer: ConvolutionLayer,
  how: {
    readonly from: number;
    readonly input: FixedPoint;
    readonly wanted: FixedPoint;
    readonly clipped: boolean;
    readonly weightBits: number;
  },
) {
  const { name, input, output, window, groups, weights, bias, relu, outside = 0 } = layer;
  const size = weights.length / output.channels;
  const { dense, requantize } = quantizeLayer(
    { name, inputSize: size, outputSize: output.channels, weights, bias, relu },
    how.input,
    how.wanted,
    how,
  );
  return [
    {
      op: "convolution",
      name,
      from: how.from,
      input,
      output,
      window,
      paddingValue: outside * 2 ** how.input.fraction,
      groups,
      weights: dense.weights,
      weightWidth: dense.weightWidth,
      bias: dense.bias,
      accumulatorWidth: dense.accumulatorWidth,
    },
    { ...requantize, size: sizeOf(output) },
  ] as const;
}

/** What a sum of two maps is made of. */
interface PairSum {
  readonly from: readonly number[];
  readonly formats: Formats;
  readonly wanted: FixedPoint;
  /** Of what is left of the sums. */
  readonly fraction: number;
}

function quantizeAdd(layer: AddLayer, { from, formats, wanted, fraction }: PairSum) {
  const { name, output } = layer;
  const formatsRead = layer.from.map((place) => formats.of(place));
  const sum = formatsRead.map(boundsOf).reduce((total, { min, max }) => ({
    min: total.min + min,
    max: total.max + max,
  }));
  const shift = (formatsRead[0]?.fraction ?? 0) - fraction;
  const [left = -1, right = -1] = from;
  return [
    { op: "add", name, from: [left, right], output, accumulatorWidth: accumulatorOf(sum) },
    requantizeNode(layer, { wanted, fraction, shift }),
  ] as const;
}

function quantizeProduct(layer: ProductLayer, { from, formats, wanted, fraction }: PairSum) {
  const { name, input, output } = layer;
  const [a, b] = [formats.of(layer.from[0]), formats.of(layer.from[1])];
  const [own, other] = [boundsOf(a), boundsOf(b)];
  const ends = [own.min, own.max].flatMap((one) => [one * other.min, one * other.max]);
  const grid = a.fraction + b.fraction;
  const bias = Array.from(layer.bias, (each) => Math.round(each * 2 ** grid) + 0);
  const sum = {
    min: input.channels * Math.min(...ends) + Math.min(0, ...bias),
    max: input.channels * Math.max(...ends) + Math.max(0, ...bias),
  };
  const shift = grid - fraction;
  const [left = -1, right = -1] = from;
  return [
    {
      op: "product",
      name,
      from: [left, right],
      input,
      output,
      bias,
      accumulatorWidth: accumulatorOf(sum),
    },
    requantizeNode(layer, { wanted, fraction, shift }),
  ] as const;
}

const accumulatorOf = ({ min, max }: { readonly min: number; readonly max: number }): number =>
  Math.max(2, widthOf({ min: Math.min(-1, min), max }));

const requantizeNode = (
  { name, output, relu }: AddLayer | ProductLayer,
  {
    wanted: { width, signed },
    fraction,
    shift,
  }: { readonly wanted: FixedPoint; readonly fraction: number; readonly shift: number },
): Unplaced<RequantizeNode> => ({
  op: "requantize",
  name: `${name}/requantize`,
  size: sizeOf(output),
  shift: [shift],
  width,
  signed,
  fraction,
  relu,
});
