/** One constant for each value of a signal, chosen by it; all the same: just that. */
export function choose(
  signal: string,
  signalWidth: number,
  values: readonly number[],
  width: number,
): string {
  const text = (value: number) => `${width}'d${BigInt.asUintN(width, BigInt(value))}`;
  const last = values.at(-1) ?? 0;
  const tail = values.findLastIndex((value) => value !== last);
  const cases = values
    .slice(0, tail + 1)
    .map((value, index) => `${signal} == ${signalWidth}'d${index} ? ${text(value)} : `);
  return cases.length === 0 ? text(last) : `(${cases.join("")}${text(last)})`;
}
