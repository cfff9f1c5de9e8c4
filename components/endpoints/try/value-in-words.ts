const words: Readonly<Record<string, string>> = {
  NaN: "not a number",
  Infinity: "infinite",
  "-Infinity": "minus infinite",
};

/** A value of an answer for people: what JSON has no number for, in words. */
export function valueInWords(value: number | string | boolean): string {
  return words[String(value)] ?? String(value);
}
