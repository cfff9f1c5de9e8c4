import type { Built, Row } from "./row";

const percent = (share: number | null, digits = 1): string =>
  share === null ? "" : `${(100 * share).toFixed(digits)} %`;

/** `+4 %` of what was measured; nothing where nothing was. */
const off = (expected: number, measured: number): string => {
  const error = relativeError(expected, measured);
  return error === null ? "" : ` (${error >= 0 ? "+" : ""}${(100 * error).toFixed(0)} %)`;
};

/** How far what was expected lies from what was measured, in parts of that; null where nothing was measured. */
export const relativeError = (expected: number, measured: number): number | null =>
  measured === 0 ? null : (expected - measured) / measured;

const columns: readonly (readonly [title: string, cell: (row: Shown) => string])[] = [
  ["model", ({ row }) => row.model],
  ["part", ({ row }) => row.part],
  ["core", ({ architecture }) => architecture],
  ["cells", ({ built }) => String(built.lut)],
  ["forecast", ({ expected, built }) => expected.lut + off(expected.lut, built.lut)],
  ["BRAM", ({ expected, built }) => against(expected.bram, built.bram)],
  ["DSP", ({ expected, built }) => against(expected.dsp, built.dsp)],
  ["cycles", ({ built }) => String(built.cycles)],
  ["forecast", ({ expected, built }) => expected.cycles + off(expected.cycles, built.cycles)],
  ["II", ({ interval }) => String(interval)],
  ["Fmax", ({ built }) => built.achievedMhz.toFixed(1)],
  ["clock", ({ built }) => String(built.clockMhz)],
  ["agrees", ({ built }) => agreementOf(built)],
  ["float → integer", ({ built: { accuracy } }) => accuracyOf(accuracy)],
  ["proof", ({ built }) => `${built.provenRows} rows`],
  ["compile", ({ row }) => `${row.compileS.toFixed(1)} s`],
  ["tools", ({ built }) => `${built.toolsS.toFixed(0)} s`],
  ["all", ({ row, built }) => `${(row.compileS + built.toolsS + built.proofS).toFixed(0)} s`],
];

type Planned = Exclude<Row["planned"], { refused: string }>;
interface Shown extends Omit<Planned, "outcome"> {
  readonly row: Row;
  readonly built: Built;
}

const against = (expected: number, measured: number): string =>
  expected === measured ? String(measured) : `${measured}, not ${expected}`;

/** Where there are classes: how often both name the same. Else the largest difference of an answer. */
function agreementOf({ accuracy }: Built): string {
  const made = accuracy.rows === 0 ? ", made-up rows" : "";
  return accuracy.agreement === null
    ? `to ${accuracy.maxAbsError.toPrecision(2)}${made}`
    : `${percent(accuracy.agreement)}${made}`;
}

const accuracyOf = ({ floatAccuracy, integerAccuracy }: Built["accuracy"]): string =>
  floatAccuracy === null ? "" : `${percent(floatAccuracy)} → ${percent(integerAccuracy)}`;

const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

/** The table's first two lines. */
export const tableHead = (): string =>
  [line(columns.map(([title]) => title)), line(columns.map(() => "---"))].join("\n");

/** A row as one line of a Markdown table; of what was not built, the reason why. */
export function tableLine(row: Row): string {
  const { planned } = row;
  if ("refused" in planned) return without(row, `not built: ${planned.refused}`);
  const { outcome } = planned;
  if (outcome.kind !== "built") {
    const { lut, cycles } = planned.expected;
    const expected = `${lut} cells and ${cycles} cycles`;
    const failed = outcome.kind === "failed" ? `FAILED: ${outcome.why}; ` : "";
    return without(
      row,
      `${planned.architecture}; compiled in ${row.compileS.toFixed(2)} s; ${failed}expected ${expected}`,
    );
  }
  return line(columns.map(([, cell]) => cell({ ...planned, row, built: outcome.built })));
}

const without = ({ model, part }: Row, why: string) =>
  line([model, part, why, ...columns.slice(3).map(() => "")]);
