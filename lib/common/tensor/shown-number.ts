/** The shortest decimal that is this number and no other of its datatype, as people read it. */
export function shownNumber(value: number | bigint, datatype: string): string {
  if (typeof value === "bigint" || datatype !== "FP32") return String(value);
  for (let digits = 1; digits < 9; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) return String(text);
  }
  return String(value);
}

/** Whether an element of an answer, as its JSON has it, is the very number, bit for bit in its datatype. */
export function isShownAs(
  value: number | bigint,
  element: number | string | boolean,
  datatype: string,
): boolean {
  if (typeof value === "bigint") return String(value) === String(element);
  const there = Number(element);
  return Object.is(value, datatype === "FP32" ? Math.fround(there) : there);
}
