/** One line of a chart. */
export interface Series {
  /** What its figures are called, as the API has them. */
  readonly id: string;
  readonly label: string;
  readonly colour: string;
  /** Drawn with dashes, so that lines are told apart without colour. */
  readonly dash?: string;
  /** Null: nothing to show at that moment. */
  readonly values: readonly (number | null)[];
  /** The same as the server keeps them, in the unit that `id` names. */
  readonly stored: readonly (number | null)[];
}

/** Points of a line: where each stands, pixels; null where there is a gap. */
export type Place = { readonly x: number; readonly y: number } | null;

/** The path of a line with gaps where nothing is known; a value alone is a dash, so that it can be seen. */
export function seriesPath(places: readonly Place[]): string {
  let path = "";
  for (const [index, place] of places.entries()) {
    if (!place) continue;
    const isFirst = !places[index - 1];
    const isAlone = isFirst && !places[index + 1];
    const [x, y] = [place.x.toFixed(1), place.y.toFixed(1)];
    path += isAlone ? `M${(place.x - 2).toFixed(1)} ${y}h4` : `${isFirst ? "M" : "L"}${x} ${y}`;
  }
  return path;
}
