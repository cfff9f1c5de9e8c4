import type { RequestGrid } from "../request/request-grid";

/** A row that is a grey picture: as many pixels as it has columns, in rows from the top. */
export interface Picture {
  readonly side: number;
  /** Values of the darkest and the lightest pixel. */
  readonly low: number;
  readonly high: number;
}

const sides = { least: 4, most: 32 } as const;
const likePixels = /^(pixels?|px|image|img)\b/i;

/**
 * The picture that a row is, where it is one: a single real input whose shape is square, or that has a square number of values
 * and says by its names that they are pixels.
 */
export function pictureOf({ columns, document }: RequestGrid): Picture | null {
  const [input] = document.inputs;
  const [column] = columns;
  if (document.inputs.length !== 1 || !input || !column || !/^(FP|BF|U?INT)/.test(input.datatype))
    return null;
  const side = Math.sqrt(columns.length);
  if (!Number.isInteger(side) || side < sides.least || side > sides.most) return null;
  const wide = input.shape.slice(1).filter((size) => size > 1);
  const isSquare = wide.length === 2 && wide.every((size) => size === side);
  if (!isSquare && !likePixels.test(input.name) && !likePixels.test(column.name)) return null;
  const lows = columns.flatMap(({ low }) => low ?? []);
  const highs = columns.flatMap(({ high }) => high ?? []);
  const low = lows.length > 0 ? Math.min(...lows) : 0;
  const high = highs.length > 0 ? Math.max(...highs) : 1;
  return low < high ? { side, low, high } : null;
}
