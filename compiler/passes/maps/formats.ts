import type { FixedPoint } from "@/lib/common/fixed-point";
import { refuseModel } from "../../graph/refuse";
import { isSumming, type Layer } from "../../model/maps/layers";
import { valueFormat } from "../quantize-network";

/** Formats of the values of all layers; those that meet in one sum or one map have the same grid. */
export interface Formats {
  /** Of a layer, of the input for −1. */
  of(place: number): FixedPoint;
  /**
   * Coarsens the grid of a layer.
   *
   * @returns Whether another layer shares it and must be done again.
   * @throws {AppError} `MODEL_UNSUPPORTED` where nothing but 0 is left of what meets on that grid.
   */
  coarsen(place: number, fraction: number): boolean;
}

/** Bits by which a grid may get coarser where its values are 0, or next to it: more than any weight asks for. */
const widestLoss = 256;

/**
 * Chooses the formats.
 *
 * @param ranges The magnitude that each layer's values must hold.
 */
export function chooseFormats(
  layers: readonly Layer[],
  {
    ranges,
    input,
    hiddenBits,
    hasSign,
  }: {
    readonly ranges: readonly number[];
    /** Whether some value of a layer is below 0. */
    readonly hasSign: (place: number) => boolean;
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
  const members = (place: number) =>
    [...layers.entries()].filter(([other]) => find(other) === find(place));
  const last = layers.length - 1;

  const formats = layers.map((_, place): FixedPoint => {
    const own = members(place);
    const signed = own.some(([other]) => hasSign(other));
    const range = Math.max(...own.map(([other]) => ranges[other] ?? 0));
    // Values without a sign that meet some with one leave the sign's bit free.
    const width = place === last ? null : signed ? hiddenBits - 1 : hiddenBits;
    const unsigned = valueFormat({ relu: true, width, range });
    if (!signed) return unsigned;
    const layer = layers[place];
    const full = place === last ? null : hiddenBits;
    const format = valueFormat({ relu: false, width: full, range });
    const keepsSign = !layer || !isSumming(layer) || hasSign(place);
    return keepsSign ? format : { ...unsigned, fraction: format.fraction };
  });
  const finest = formats.map(({ fraction }) => fraction);
  /** The smallest value that a group of layers must tell from 0 is half a step of this grid. */
  const coarsest = (place: number) => {
    const range = Math.max(...members(place).map(([other]) => ranges[other] ?? 0));
    const holding = range > 0 ? Math.ceil(-1 - Math.log2(range)) : Number.NEGATIVE_INFINITY;
    return Math.max((finest[place] ?? 0) - widestLoss, Math.min(holding, finest[place] ?? 0));
  };
  return {
    of: (place) => (place < 0 ? input : (formats[place] ?? input)),
    coarsen: (place, fraction) => {
      const own = members(place);
      if (own.length > 1 && fraction < coarsest(place)) {
        throw refuseModel(
          `The values of ${own.map(([, { name }]) => `"${name}"`).join(", ")} meet, and are too unlike in size for one grid of ${hiddenBits} bits.`,
        );
      }
      for (const [other] of own) {
        const format = formats[other];
        if (format) formats[other] = { ...format, fraction };
      }
      return own.some(([other, layer]) => other !== place && isSumming(layer));
    },
  };
}
