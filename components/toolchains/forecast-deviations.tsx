import { formatCount, formatShare } from "@/components/ui";
import type { ForecastDeviation, ForecastFigure } from "@/lib/common/contract";

const words = {
  lut: "Logic cells",
  ff: "Flip-flops",
  bram: "Block RAM",
  dsp: "Multipliers",
  cycles: "Cycles",
  seconds: "Build time",
  clock: "Clock",
} as const satisfies Record<ForecastFigure, string>;

/** How far forecasts were off: one row for each kind of design and figure. */
export function ForecastDeviations({ deviations }: { deviations: readonly ForecastDeviation[] }) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full min-w-96 text-dense">
        <caption className="mb-1 text-left text-label text-muted">
          Forecasts against finished builds
        </caption>
        <thead>
          <tr className="border-b border-line text-label text-muted">
            <th scope="col" className="py-1 text-left font-normal">
              Design
            </th>
            <th scope="col" className="text-left font-normal">
              Figure
            </th>
            <th scope="col" className="text-right font-normal">
              Builds
            </th>
            <th scope="col" className="text-right font-normal">
              Median error
            </th>
            <th scope="col" className="text-right font-normal">
              Measured by expected
            </th>
          </tr>
        </thead>
        <tbody>
          {deviations.map(({ architecture, figure, builds, medianError, lowRatio, highRatio }) => (
            <tr key={`${architecture} ${figure}`} className="border-b border-line">
              <td className="py-1">{architecture}</td>
              <td>{words[figure]}</td>
              <td className="text-right">{formatCount(builds)}</td>
              <td className="text-right">{formatShare(medianError)}</td>
              <td className="text-right text-muted">
                {lowRatio.toFixed(2)} to {highRatio.toFixed(2)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
