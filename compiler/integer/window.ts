import type { MapShape, MapView, Window } from "./integer-maps";

/**
 * Visits what a window sees, row by row: the place of channel 0 of each pixel in the flat values, −1 outside of the map.
 *
 * @param pixel Of the output, row-major.
 */
export function eachTap(
  node: { readonly input: MapView; readonly output: MapShape; readonly window: Window },
  pixel: number,
  visit: (place: number) => void,
): void {
  const { input, output, window } = node;
  const { first = 0 } = input;
  const [rows, columns] = window.kernel;
  const top = Math.floor(pixel / output.width) * window.strides[0] - window.padding[0];
  const left = (pixel % output.width) * window.strides[1] - window.padding[1];
  for (let k = 0; k < rows; k++) {
    const y = top + k * window.dilations[0];
    for (let l = 0; l < columns; l++) {
      const x = left + l * window.dilations[1];
      const inside = y >= 0 && y < input.height && x >= 0 && x < input.width;
      visit(inside ? first + y * input.strides[0] + x * input.strides[1] : -1);
    }
  }
}

/** What a window sees, row by row: places as `eachTap` visits them. */
export function placesSeen(node: Parameters<typeof eachTap>[0], pixel: number): number[] {
  const places: number[] = [];
  eachTap(node, pixel, (place) => places.push(place));
  return places;
}
