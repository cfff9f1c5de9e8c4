import type { SignalTrace } from "@/simulator/run";

export type Radix = "hex" | "unsigned" | "signed";

export const radixes = [
  { id: "hex", label: "hex" },
  { id: "unsigned", label: "decimal" },
  { id: "signed", label: "signed" },
] as const satisfies readonly { id: Radix; label: string }[];

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
