/**
 * Bits of two's complement that hold every sum of a dense layer, with and without its bias and at every step of the
 * summation, for any input of the format: exact for the weights given.
 */
export function accumulatorWidth(layer: {
  readonly inputSize: number;
  readonly weights: readonly number[];
  readonly bias: readonly number[];
  readonly inputSigned: boolean;
  readonly inputWidth: number;
}): number {
  const { inputSize, weights, bias, inputSigned, inputWidth } = layer;
  const low = inputSigned ? -(2 ** (inputWidth - 1)) : 0;
  const high = inputSigned ? 2 ** (inputWidth - 1) - 1 : 2 ** inputWidth - 1;
  let min = 0;
  let max = 0;
  for (const [output, offset] of bias.entries()) {
    let least = 0;
    let most = 0;
    for (const weight of weights.slice(output * inputSize, (output + 1) * inputSize)) {
      least += Math.min(weight * low, weight * high);
      most += Math.max(weight * low, weight * high);
    }
    min = Math.min(min, least, least + offset);
    max = Math.max(max, most, most + offset);
  }
  let width = 1;
  while (min < -(2 ** (width - 1)) || max >= 2 ** (width - 1)) width++;
  return width;
}
