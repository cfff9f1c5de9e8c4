import { fail } from "@/lib/common/errors";
import type { VendorMeasure } from "../family";

const fitted = "boardwalk.fit.summary";
const timed = "boardwalk.sta.summary";
/** What `quartus_sh --flow compile` leaves: `Name : value` a line (Intel UG-20175 and its successors). */
export const reports = [fitted, timed] as const;

const lines: Readonly<Record<string, string>> = {
  lut: "Logic utilization (in ALMs)",
  bram: "Total RAM Blocks",
  dsp: "Total DSP Blocks",
};

/**
 * Reads Quartus's summaries: the worst setup slack of any corner counts.
 *
 * @throws {AppError} `OUTPUT_INVALID`
 */
export function measure(text: (path: string) => string, clockHz: number): VendorMeasure {
  const fit = valuesOf(text(fitted));
  const used = Object.entries(lines).map(([id, name]) => {
    // `1,234 / 41,910 ( 3 % )`
    const [, of, available] = /^([\d,]+) \/ ([\d,]+)/.exec(fit.get(name) ?? "") ?? [];
    if (of === undefined || available === undefined)
      throw fail("OUTPUT_INVALID", `${fitted} has no line ${name}.`);
    return [id, { used: numberOf(of), available: numberOf(available) }] as const;
  });
  return {
    achievedMhz: 1e3 / (1e9 / clockHz - worstSetupNs(text(timed))),
    used: Object.fromEntries(used),
  };
}

function worstSetupNs(summary: string): number {
  const slacks = [...summary.matchAll(/^Type\s*:.*\bSetup\b.*\n\s*Slack\s*:\s*(-?[\d.]+)/gm)];
  if (slacks.length === 0)
    throw fail("OUTPUT_INVALID", `${timed} tells no setup slack: was the design constrained?`);
  return Math.min(...slacks.map(([, slack]) => Number(slack)));
}

const numberOf = (text: string) => Number(text.replaceAll(",", ""));

const valuesOf = (text: string) =>
  new Map(
    text.split("\n").flatMap((line) => {
      const at = line.indexOf(" : ");
      return at < 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 3).trim()] as const];
    }),
  );
