import type { IntegerGraph, Tap } from "../../integer/integer-graph";
import { layersOf } from "../../integer/layers";
import { type BitVector, bitsOf, literal } from "./bit-vector";
import type { Network, Value } from "./network";
import type { Pipeline } from "./pipeline";
import { roundingOf } from "./rounding";

interface Place {
  readonly layer: number;
  readonly output: number;
  readonly what: "accumulator" | "value" | "table";
  readonly value: Value;
}

const wireName = ({ layer, output, what }: Place) => `${what}_${layer}_${output}`;

function placesOf({ layers }: Network): Place[] {
  return layers.flatMap(({ sums, values, looked }, layer) =>
    Object.entries({ accumulator: sums, value: values, table: looked ?? [] }).flatMap(
      ([what, elements]) =>
        elements.flatMap((value, output) =>
          value ? [{ layer, output, what: what as Place["what"], value }] : [],
        ),
    ),
  );
}

/**
 * Wires that show every element of every node in two's complement, as declarations for the module `network`. Nothing
 * uses them, so that synthesis leaves them out and the simulation shows them.
 */
export function tapWires(
  graph: IntegerGraph,
  network: Network,
  at: (signal: number) => BitVector,
): string[] {
  const stages = layersOf(graph);
  return placesOf(network).map((place) => {
    const stage = stages[place.layer];
    if (!stage) throw new RangeError(`There is no layer ${place.layer}.`);
    const { dense, requantize, table } = stage;
    const isSum = place.what === "accumulator";
    const shown = place.what === "table" && table ? table : requantize;
    const width = isSum ? dense.accumulatorWidth : shown.width + (shown.signed ? 0 : 1);
    const rounding = isSum ? roundingOf(requantize, place.output) : 0;
    return `  wire signed [${width - 1}:0] ${wireName(place)} = ${expressionOf(place.value, width, rounding, at)};`;
  });
}

function expressionOf(
  value: Value,
  width: number,
  rounding: number,
  at: (signal: number) => BitVector,
): string {
  if (value.kind === "constant") return literal(value.constant - rounding, width);
  const { term, constant } = value;
  const bits = bitsOf(at(term.signal), 0, width);
  const shiftedBits = term.shift === 0 ? bits : `(${bits} << ${term.shift})`;
  const offset = constant - rounding;
  return offset === 0 ? shiftedBits : `${shiftedBits} + ${literal(offset, width)}`;
}

/** When each element of each node shows itself; of tables, what their registers hold. Elements that nothing uses are not there. */
export function tapsOf(graph: IntegerGraph, network: Network, { cycles }: Pipeline): Tap[] {
  const stages = layersOf(graph);
  return placesOf(network).map((place) => {
    const stage = stages[place.layer];
    if (!stage) throw new RangeError(`There is no layer ${place.layer}.`);
    const made = place.value.kind === "term" ? (cycles[place.value.term.signal] ?? 0) : 0;
    const { dense, requantize, table } = stage;
    const isTable = place.what === "table" && table !== null;
    return {
      node: (place.what === "accumulator" ? dense : isTable ? table : requantize).name,
      element: place.output,
      signal: `net.${wireName(place)}`,
      cycle: made + (isTable && place.value.kind === "term" ? 2 : 1),
    };
  });
}
