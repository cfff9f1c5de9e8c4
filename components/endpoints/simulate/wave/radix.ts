import type { SignalTrace } from "@/simulator/run";

/** How values of more than one bit are written. */
export type Radix = "hex" | "unsigned" | "signed";

/** What may be chosen. */
export const radixes = ["hex", "unsigned", "signed"] as const satisfies readonly Radix[];

/** A value of a signal as text; one bit is 0 or 1 in every radix. */
export function valueText(
  value: number,
  { width }: Pick<SignalTrace, "width">,
  radix: Radix,
): string {
  if (width === 1) return String(value);
  if (radix === "hex") return value.toString(16).padStart(Math.ceil(width / 4), "0");
  const negative = radix === "signed" && value >= 2 ** (width - 1);
  return negative ? `−${2 ** width - value}` : String(value);
}
