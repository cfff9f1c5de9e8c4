import { useTranslations } from "next-intl";
import { formatCount, formatShare } from "@/components/ui";
import type { ForecastDeviation } from "@/lib/common/contract";

/** How far forecasts were off: one row for each kind of design and figure. */
export function ForecastDeviations({ deviations }: { deviations: readonly ForecastDeviation[] }) {
  const t = useTranslations("forecasts");
  return (
    <div className="overflow-x-auto">
      <table className="w-full min-w-96 text-dense">
        <caption className="mb-1 text-left text-label text-muted">
          {t("deviations.caption")}
        </caption>
        <thead>
          <tr className="border-b border-line text-label text-muted">
            <th scope="col" className="py-1 text-left font-normal">
              {t("deviations.architecture")}
            </th>
            <th scope="col" className="text-left font-normal">
              {t("deviations.figure")}
            </th>
            <th scope="col" className="text-right font-normal">
              {t("deviations.builds")}
            </th>
            <th scope="col" className="text-right font-normal">
              {t("deviations.medianError")}
            </th>
            <th scope="col" className="text-right font-normal">
              {t("deviations.ratio")}
            </th>
          </tr>
        </thead>
        <tbody>
          {deviations.map(({ architecture, figure, builds, medianError, lowRatio, highRatio }) => (
            <tr key={`${architecture} ${figure}`} className="border-b border-line">
              <td className="py-1">{architecture}</td>
              <td>{t(`figures.${figure}`)}</td>
              <td className="text-right">{formatCount(builds)}</td>
              <td className="text-right">{formatShare(medianError)}</td>
              <td className="text-right text-muted">
                {t("deviations.range", {
                  low: lowRatio.toFixed(2),
                  high: highRatio.toFixed(2),
                })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
