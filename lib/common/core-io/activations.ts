/** Softmax in place over each run of `classes` values, shifted by the largest so that nothing overflows. */
export function softmax(values: Float64Array, classes: number): void {
  for (let start = 0; start < values.length; start += classes) {
    const end = Math.min(start + classes, values.length);
    let largest = -Infinity;
    for (let i = start; i < end; i++) largest = Math.max(largest, values[i] ?? 0);
    let sum = 0;
    for (let i = start; i < end; i++) sum += values[i] = Math.exp((values[i] ?? 0) - largest);
    for (let i = start; i < end; i++) values[i] = (values[i] ?? 0) / sum;
  }
}

/** Index of the largest value, the first of equals. */
export function argmax(values: ArrayLike<number>): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) {
    if ((values[i] ?? -Infinity) > (values[best] ?? -Infinity)) best = i;
  }
  return best;
}

/** The logistic function, in place. */
export function sigmoid(values: Float64Array): void {
  for (let i = 0; i < values.length; i++) values[i] = 1 / (1 + Math.exp(-(values[i] ?? 0)));
}

/** Powers of e, in place. */
export function exp(values: Float64Array): void {
  for (let i = 0; i < values.length; i++) values[i] = Math.exp(values[i] ?? 0);
}
