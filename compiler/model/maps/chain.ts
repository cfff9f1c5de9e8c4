import type { Graph, GraphConstant, GraphNode } from "../../graph/graph";
import { refuse, refuseModel } from "../../graph/refuse";
import { mostValues } from "../../graph/refuse-graph";
import { operandsOf } from "../../integer/integer-graph";
import { type MapShape, sizeOf } from "../../integer/integer-maps";
import { invalid, oneGridOf } from "../quantizer";
import {
  type ConvolutionLayer,
  copyLayer,
  type QuantizeLayer,
  type RawLayer,
  rowMap,
  rowView,
} from "./layers";
import { likeRowsOf, productOf, type Value, viewOf } from "./value";

/** What has been read of a graph so far. */
export interface Chain {
  readonly graph: Graph;
  /** Rows of the input, −1 where free. */
  readonly batch: number;
  /** Values of a row: those of all inputs, one behind the other. */
  readonly inputSize: number;
  readonly layers: RawLayer[];
  readonly values: Map<string, Value>;
  /** Scale and offset of each value of the input, and how many of them were merged. */
  readonly inputFactor: Float64Array;
  readonly inputOffset: Float64Array;
  readonly inputScales: Int32Array;
}

/** A node as its reader sees it. */
export interface NodeView {
  readonly node: GraphNode;
  readonly chain: Chain;
  /** The computed value at an input. @throws {AppError} when there is none. */
  value(index: number): Value;
  /** The constant at an input; null where there is none. */
  constant(index: number): GraphConstant | null;
  /** The integers at an input, constant or made of shapes; null where there are none. */
  list(index: number): readonly number[] | null;
}

/** The constant at an input that must be one: weights, mostly. */
export function needConstant({ node, constant }: NodeView, index: number): GraphConstant {
  const found = constant(index);
  if (!found) throw refuse(node, "needs constant weights");
  return found;
}

/** The map that a value lies in; the input is one long pixel. */
export function mapOf({ layers, inputSize }: Chain, { layer }: Pick<Value, "layer">): MapShape {
  return layers[layer]?.output ?? rowMap(inputSize);
}

/** Whether what was read of the input has got a scale since, which the host would do to it too. */
export const isOutdated = ({ inputScales }: Chain, { order, scales }: Value): boolean =>
  scales !== undefined && order.some((place) => scales[place] !== inputScales[place]);

/** Whether some layer reads elements of the input that a value has too. */
export function isReadByLayers({ layers, inputSize }: Chain, { order }: Value): boolean {
  const read = layers
    .filter((layer) => operandsOf(layer).includes(-1))
    .map((layer) => {
      const view = "input" in layer ? layer.input : rowView(0, inputSize);
      const { first = 0, height, width, channels, strides } = view;
      const [y, x, c] = strides;
      return { first, last: first + (height - 1) * y + (width - 1) * x + (channels - 1) * c };
    });
  return order.some((place) => read.some(({ first, last }) => place >= first && place <= last));
}

/** A value that is all of its map: one that is a part of the input, such as one of several inputs, is copied. */
export const wholeOf = (chain: Chain, value: Value, node: GraphNode): Value =>
  !isOfInputs(chain, value) || value.order.length === chain.inputSize
    ? value
    : copyOf(chain, value, node);

/** Whether a value is made of elements of the inputs alone, as they are or on grids of their own. */
export const isOfInputs = ({ layers }: Chain, { layer }: Pick<Value, "layer">): boolean =>
  layer < 0 || isInputGrid(layers[layer]);

/** The layer that puts the row of all inputs onto the model's own grids. */
export const isInputGrid = (layer: RawLayer | undefined): layer is QuantizeLayer =>
  layer?.kind === "quantize" && layer.from === -1;

/**
 * A part of the input as a map of its own, of one pixel.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED` where its elements lie in no even steps.
 */
export function copyOf(chain: Chain, value: Value, node: GraphNode): Value {
  const { layer, shape, order } = value;
  const view = viewOf({ ...value, shape: [order.length, 1] }, node);
  const copy = appendCopy(chain, value, copyLayer(`${node.name}/input`, layer, view));
  return likeRowsOf(value, { layer: copy, shape, order: Int32Array.from(order.keys()) });
}

/**
 * Appends a copy of a value and gives its place; where that is on a grid of the inputs, the copy is put there again.
 *
 * @throws {AppError} `QUANTIZER_INVALID` for a value of several grids.
 */
export function appendCopy(chain: Chain, { layer, order }: Value, copy: ConvolutionLayer): number {
  const grid = chain.layers[layer];
  const from = append(chain, copy);
  if (!isInputGrid(grid)) return from;
  const { operator, quantizer } = grid;
  const name = `${copy.name}/grid`;
  const one = oneGridOf(quantizer, order);
  if (!one) throw invalid(quantizer, `is beside inputs on other grids at "${copy.name}"`);
  return append(chain, {
    kind: "quantize",
    name,
    operator,
    from,
    output: copy.output,
    quantizer: one,
  });
}

/** Appends a layer and gives its place. @throws {AppError} `MODEL_UNSUPPORTED` for more values than any board holds. */
export function append({ layers }: Chain, layer: RawLayer): number {
  const size = sizeOf(layer.output);
  if (size > mostValues) {
    throw refuseModel(
      `Node "${layer.name}" makes ${size} values; FPGA boards take ${mostValues} at most.`,
    );
  }
  layers.push(layer);
  return layers.length - 1;
}

/**
 * A constant broadcast to a value: one number for each of its elements, row-major.
 *
 * @throws {AppError} when it would make the value larger.
 */
export function spread(node: GraphNode, { shape, values }: GraphConstant, to: Value): Float64Array {
  const full = to.joinsBatch ? to.shape : [1, ...to.shape];
  const own = [...Array<number>(Math.max(0, full.length - shape.length)).fill(1), ...shape];
  const fits = own.every((size, axis) => size === 1 || (axis > 0 && size === full[axis]));
  if (own.length > full.length || !fits) {
    throw refuse(
      node,
      `has a constant of shape [${shape.join(", ")}] for [batch, ${to.shape.join(", ")}]`,
    );
  }
  const result = new Float64Array(productOf(to.shape));
  for (let flat = 0; flat < result.length; flat++) {
    let index = 0;
    let stride = 1;
    let rest = flat;
    for (let axis = full.length - 1; axis >= 0; axis--) {
      const size = full[axis] ?? 1;
      if (own[axis] !== 1) index += (rest % size) * stride;
      stride *= own[axis] ?? 1;
      rest = Math.floor(rest / size);
    }
    result[flat] = values[index] ?? 0;
  }
  return result;
}
