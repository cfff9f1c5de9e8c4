/** What JSON has no number for; each has its words in the catalogue. */
export type ValueWord = "notANumber" | "infinite" | "minusInfinite" | "chosen";

const words: Readonly<Record<string, ValueWord>> = {
  NaN: "notANumber",
  Infinity: "infinite",
  "-Infinity": "minusInfinite",
};

/** The word for a value in words; null for one that is shown as it is. */
export function valueInWords(value: number | string | boolean): ValueWord | null {
  const text = String(value);
  return Object.hasOwn(words, text) ? (words[text] ?? null) : null;
}
