import type { GraphNode } from "../graph/graph";
import { append, type Chain, isInputGrid } from "../model/maps/chain";
import { rowMap } from "../model/maps/layers";
import type { Value } from "../model/maps/value";
import { invalid, oneGridOf, type Quantizer, sameGrid } from "../model/quantizer";

/**
 * Inputs go onto grids of their own in the one layer that the row of all inputs has for that. Its quantiser has one grid for
 * all values, or one for each, with a scale of 0 where none has been said yet.
 *
 * @param own A value of inputs alone.
 * @returns Null for inputs that lie on another grid already.
 * @throws {AppError} `QUANTIZER_INVALID` for an input that two nodes put onto unlike grids.
 */
export function ontoInputGrid(
  chain: Chain,
  own: Value,
  { name, operator }: GraphNode,
  quantizer: Quantizer,
): Value | null {
  const place = chain.layers.findIndex(isInputGrid);
  const before = chain.layers[place];
  if (own.layer >= 0) {
    const one = isInputGrid(before) ? oneGridOf(before.quantizer, own.order) : null;
    return one && sameGrid(one, quantizer) ? own : null;
  }
  const known = isInputGrid(before) ? before.quantizer : null;
  const whole = withGrid(overRow(known, quantizer, chain.inputSize), own, quantizer);
  const places = Array.from({ length: chain.inputSize }, (_, at) => at);
  const merged = oneGridOf(whole, places) ?? whole;
  if (isInputGrid(before)) {
    chain.layers[place] = { ...before, quantizer: merged };
    return { ...own, layer: place };
  }
  const output = rowMap(chain.inputSize);
  const layer = { kind: "quantize", name, operator, from: -1, output, quantizer: merged } as const;
  return { ...own, layer: append(chain, layer) };
}

/** A grid for each value of a row: what is known of them, or nothing. */
function overRow(known: Quantizer | null, like: Quantizer, size: number): Quantizer {
  const all = (list: readonly number[] = [0]) =>
    list.length > 1 ? list : Array<number>(size).fill(list[0] ?? 0);
  const { scales, min, max } = known ?? {};
  return { ...(known ?? like), scales: all(scales), min: all(min), max: all(max) };
}

function withGrid(known: Quantizer, { order }: Value, quantizer: Quantizer): Quantizer {
  const free = Array.from(order).every((place) => known.scales[place] === 0);
  const one = free ? null : oneGridOf(known, order);
  const isAgain = one !== null && sameGrid(one, quantizer);
  if ((!free && !isAgain) || known.rounding !== quantizer.rounding) {
    throw invalid(
      quantizer,
      "puts inputs onto another grid, or rounds otherwise, than a node before",
    );
  }
  const put = (list: readonly number[], [value = 0]: readonly number[]) => {
    const all = [...list];
    for (const place of order) all[place] = value;
    return all;
  };
  const { scales, min, max } = known;
  return {
    ...known,
    scales: put(scales, quantizer.scales),
    min: put(min, quantizer.min),
    max: put(max, quantizer.max),
  };
}
