import { useTranslations } from "next-intl";
import { formatCount, formatDuration, formatShare } from "@/components/ui";
import type { Expectation, ForecastFigure, Report } from "@/lib/common/contract";

interface Row {
  readonly figure: ForecastFigure;
  readonly expected: number;
  readonly measured: number;
  readonly show: (value: number) => string;
}

/** What was expected of a build before any tool had run, beside what the tools measured. */
export function ExpectedAndMeasured({
  expected,
  report,
  seconds,
}: {
  expected: Expectation;
  report: Report;
  /** How long the build took; null while it runs, or where an older artifact was taken. */
  seconds: number | null;
}) {
  const t = useTranslations("forecasts");
  const rows = rowsOf(expected, report, seconds);
  return (
    <table className="w-full text-dense">
      <caption className="sr-only">{t("compared.caption")}</caption>
      <thead>
        <tr className="text-label text-muted">
          <th scope="col" className="text-left font-normal">
            <span className="sr-only">{t("compared.figure")}</span>
          </th>
          <th scope="col" className="text-right font-normal">
            {t("compared.expected")}
          </th>
          <th scope="col" className="text-right font-normal">
            {t("compared.measured")}
          </th>
          <th scope="col" className="text-right font-normal">
            {t("compared.error")}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ figure, expected, measured, show }) => (
          <tr key={figure}>
            <th scope="row" className="text-left font-normal text-muted">
              {t(`figures.${figure}`)}
            </th>
            <td className="text-right">{show(expected)}</td>
            <td className="text-right">{show(measured)}</td>
            <td className="text-right text-muted">{offBy(expected, measured)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function rowsOf({ figures }: Expectation, report: Report, seconds: number | null): Row[] {
  const usedOf = (id: string) => report.resources.find((each) => each.id === id)?.used ?? 0;
  const counted = (figure: "lut" | "ff" | "bram" | "dsp", expected: number): Row => ({
    figure,
    expected,
    measured: usedOf(figure),
    show: formatCount,
  });
  const rows: Row[] = [
    counted("lut", figures.lut),
    // Where a cell is a table and a flip-flop, the tools do not count the latter.
    ...(figures.ff !== undefined && usedOf("ff") > 0 ? [counted("ff", figures.ff)] : []),
    counted("bram", figures.bram),
    counted("dsp", figures.dsp),
  ];
  if (report.latencyCycles !== undefined) {
    const measured = report.latencyCycles;
    rows.push({ figure: "cycles", expected: figures.cycles, measured, show: formatCount });
  }
  if (seconds !== null) {
    const show = (value: number) => formatDuration(value * 1000);
    rows.push({ figure: "seconds", expected: figures.seconds, measured: seconds, show });
  }
  return rows.filter(({ expected, measured }) => expected > 0 || measured > 0);
}

function offBy(expected: number, measured: number): string {
  if (measured === expected) return "0";
  if (expected === 0) return "–";
  const share = measured / expected - 1;
  return `${share > 0 ? "+" : "−"}${formatShare(Math.abs(share))}`;
}
