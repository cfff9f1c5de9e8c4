/**
 * The largest sizes of the same form that fit: hidden layers scaled alike, in steps of a twentieth. Null if none does, or
 * there are no hidden layers.
 *
 * @param sizes Inputs, then the outputs of every dense layer.
 */
export function nearestSizes(
  sizes: readonly number[],
  fits: (sizes: readonly number[]) => boolean,
): readonly number[] | null {
  if (sizes.length < 3) return null;
  for (let twentieths = 19; twentieths >= 1; twentieths--) {
    const scaled = sizes.map((size, index) =>
      index === 0 || index === sizes.length - 1
        ? size
        : Math.max(1, Math.floor((size * twentieths) / 20)),
    );
    if (fits(scaled)) return scaled;
  }
  return null;
}
