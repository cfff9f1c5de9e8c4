/**
 * How often one multiplier of a layer may serve a row, ascending: where the factor divides the matrix as hls4ml cuts it up.
 * hls4ml takes the nearest of these for any other, and says so in its log alone.
 *
 * @see hls4ml 1.3.0, `FPGABackend.get_valid_reuse_factors`
 */
export function validReuseFactors({
  inputs,
  outputs,
}: {
  readonly inputs: number;
  readonly outputs: number;
}): number[] {
  const factors: number[] = [];
  const all = inputs * outputs;
  for (let factor = 1; factor <= all; factor += 1) {
    if (all % factor !== 0) continue;
    const isOfRows = factor >= inputs && factor % inputs === 0;
    const multipliers = Math.ceil(all / Math.min(inputs, factor));
    if (isOfRows || (factor < inputs && multipliers % outputs === 0)) factors.push(factor);
  }
  return factors;
}
