import type { FixedPoint } from "@/lib/common/fixed-point";
import { valueFormat } from "../passes/quantize-network";
import type { Layer } from "./layers";

/** Formats of the values of all layers; those that meet in one sum or one map have the same grid. */
export interface Formats {
  /** Of a layer, of the input for −1. */
  of(place: number): FixedPoint;
  /** Coarsens the grid of a layer. @returns Whether another layer shares it and must be done again. */
  coarsen(place: number, fraction: number): boolean;
}

/**
 * Chooses the formats.
 *
 * @param ranges The magnitude that each layer's values must hold.
 * @throws {RangeError} when the input shares a grid.
 */
export function chooseFormats(
  layers: readonly Layer[],
  {
    ranges,
    input,
    hiddenBits,
  }: {
    readonly ranges: readonly number[];
    readonly input: FixedPoint;
    readonly hiddenBits: number;
  },
): Formats {
  const leader = layers.map((_, place) => place);
  const find = (place: number): number => {
    const next = leader[place] ?? place;
    return next === place ? place : find(next);
  };
  const unite = (a: number, b: number) => {
    leader[Math.max(find(a), find(b))] = Math.min(find(a), find(b));
  };
  for (const [place, layer] of layers.entries()) {
    if (layer.kind === "add") unite(layer.from[0], layer.from[1]);
    if (layer.kind === "max-pool") unite(layer.from, place);
    if (layer.kind === "concat") for (const from of layer.from) unite(from, place);
  }
  const isSum = (layer: Layer) => layer.kind === "convolution" || layer.kind === "add";
  const hasSign = (layer: Layer) =>
    (layer.kind === "convolution" || layer.kind === "add") && !layer.relu;
  const members = (place: number) =>
    [...layers.entries()].filter(([other]) => find(other) === find(place));
  const last = layers.length - 1;

  const formats = layers.map((_, place): FixedPoint => {
    const own = members(place);
    const signed = own.some(([, layer]) => hasSign(layer));
    const range = Math.max(...own.map(([other]) => ranges[other] ?? 0));
    // Values without a sign that meet some with one leave the sign's bit free.
    const width = place === last ? null : signed ? hiddenBits - 1 : hiddenBits;
    const unsigned = valueFormat({ relu: true, width, range });
    if (!signed) return unsigned;
    const layer = layers[place];
    const full = place === last ? null : hiddenBits;
    const format = valueFormat({ relu: false, width: full, range });
    const keepsSign = !layer || !isSum(layer) || hasSign(layer);
    return keepsSign ? format : { ...unsigned, fraction: format.fraction };
  });
  return {
    of: (place) => (place < 0 ? input : (formats[place] ?? input)),
    coarsen: (place, fraction) => {
      const own = members(place);
      for (const [other] of own) {
        const format = formats[other];
        if (format) formats[other] = { ...format, fraction };
      }
      return own.some(([other, layer]) => other !== place && isSum(layer));
    },
  };
}
