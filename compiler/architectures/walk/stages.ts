import {
  type IntegerGraph,
  operandsOf,
  type RequantizeNode,
  type TableNode,
} from "../../integer/integer-graph";
import type {
  AddNode,
  ConvolutionNode,
  MaxPoolNode,
  ProductNode,
  Window,
} from "../../integer/integer-maps";
import type { Turn } from "./storage";

/** What one sweep computes: a sum with its requantisation and function, pooled at once where windows allow; or pooling alone. */
export interface Stage extends Turn {
  readonly sum: ConvolutionNode | AddNode | ProductNode | null;
  readonly requantize: RequantizeNode | null;
  readonly table: TableNode | null;
  readonly pool: MaxPoolNode | null;
}

/** Groups the nodes of an integer graph of maps. @throws {RangeError} for any other graph. */
export function mapStagesOf({ nodes }: IntegerGraph): Stage[] {
  const readers = new Map<number, number>();
  for (const node of nodes) {
    for (const place of operandsOf(node)) readers.set(place, (readers.get(place) ?? 0) + 1);
  }
  const stages: Stage[] = [];
  const fused = new Set<number>();
  for (const [place, node] of nodes.entries()) {
    if (node.op === "convolution" || node.op === "add" || node.op === "product") {
      const requantize = nodes[place + 1];
      if (requantize?.op !== "requantize") throw new RangeError(`${node.name} is not requantised.`);
      const next = nodes[place + 2];
      const table = next?.op === "table" ? next : null;
      const made = table ? place + 2 : place + 1;
      const pooled = nodes.findIndex(
        (each) => each.op === "max-pool" && each.from === made && isDisjoint(each),
      );
      const pool = nodes[pooled];
      const isFused = node.op !== "product" && pool?.op === "max-pool" && readers.get(made) === 1;
      const loads = nodes.some((each) => each.op === "product" && each.from[1] === made);
      if (loads && (node.op !== "convolution" || readers.get(made) !== 1)) {
        throw new RangeError(`${node.name} cannot be the right of a product.`);
      }
      if (isFused) fused.add(pooled);
      stages.push({
        sum: node,
        requantize,
        table,
        pool: isFused ? pool : null,
        reads: node.op === "product" ? [node.from[0]] : operandsOf(node),
        loads,
        writes: isFused ? pooled : made,
      });
    } else if (node.op === "max-pool" && !fused.has(place)) {
      stages.push({
        sum: null,
        requantize: null,
        table: null,
        pool: node,
        reads: [node.from],
        loads: false,
        writes: place,
      });
    } else if (node.op === "dense" || node.op === "trees" || node.op === "sum") {
      throw new RangeError(`${node.name} is no node of maps.`);
    }
  }
  return stages;
}

/** Windows that share no pixel and stay inside of the map: each value is summed once, right when it is pooled. */
function isDisjoint({ window, input, output }: MaxPoolNode): boolean {
  const reaches = (axis: 0 | 1, count: number, size: number) =>
    (count - 1) * window.strides[axis] + window.kernel[axis] <= size;
  return (
    isUndilated(window) &&
    window.padding.every((each) => each === 0) &&
    window.kernel.every((size, axis) => size <= (window.strides[axis] ?? 1)) &&
    reaches(0, output.height, input.height) &&
    reaches(1, output.width, input.width) &&
    input.strides[2] === 1 &&
    input.strides[1] === input.channels &&
    input.strides[0] === input.channels * input.width
  );
}

const isUndilated = ({ dilations, kernel }: Window) =>
  dilations.every((each, axis) => each === 1 || kernel[axis] === 1);
