/** A tensor of reals, row-major; integers and class numbers are held exactly. */
export interface RealTensor {
  readonly shape: readonly number[];
  readonly values: Float32Array | Float64Array;
}
