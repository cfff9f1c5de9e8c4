import { useTranslations } from "next-intl";
import { formatCount, formatShare, ToneIcon } from "@/components/ui";
import type { PrecisionTry, SearchResult } from "@/lib/common/contract";
import { cheapestOf } from "./cheapest";

/** The tries of a search, the finest first: bits, what they agree, and what they cost. */
export function TriesTable({ result }: { result: SearchResult }) {
  const t = useTranslations("searches");
  const { tries, best, cellsAvailable, floatAccuracy, measure, wanted } = result;
  const hasAccuracy = tries.some(({ accuracy }) => accuracy !== null);
  const cheapest = cheapestOf(result);
  return (
    <div className="overflow-x-auto">
      <table className="table text-dense">
        <thead>
          <tr>
            <th>{t("head.bits")}</th>
            <th>{measure === "class" ? t("head.class") : t("head.within")}</th>
            {hasAccuracy ? (
              <th className="num">
                {floatAccuracy === null
                  ? t("head.right")
                  : t("head.rightFloat", { share: formatShare(floatAccuracy) })}
              </th>
            ) : null}
            <th className="num">{t("head.cells")}</th>
          </tr>
        </thead>
        <tbody>
          {tries.map((each, at) => (
            <tr key={bitsOf(each)} aria-current={at === cheapest ? "true" : undefined}>
              <td className="whitespace-nowrap">
                <span className={at === cheapest ? "font-strong" : ""}>{bitsOf(each)}</span>
                {at === best ? <span className="label"> {t("fewestBits")}</span> : null}
                {at === cheapest ? <span className="label"> {t("fewestCells")}</span> : null}
              </td>
              <td className="min-w-36">
                <span className="flex items-center gap-2">
                  <ToneIcon tone={each.holds ? "ok" : "bad"} />
                  <span className="w-14">{formatShare(each.agreement)}</span>
                  <span className="bar flex-1" aria-hidden="true">
                    <i
                      className={`bar-fill ${each.holds ? "" : "bg-bad!"}`}
                      style={{ width: `${each.agreement * 100}%` }}
                    />
                    <b className="bar-mark" style={{ left: `${wanted * 100}%` }} />
                  </span>
                </span>
              </td>
              {hasAccuracy ? (
                <td className="num">{each.accuracy === null ? "" : formatShare(each.accuracy)}</td>
              ) : null}
              <td className="num whitespace-nowrap">
                {t.rich(each.fits ? "cells" : "cellsTooMany", {
                  cells: formatCount(each.cells),
                  available: formatCount(cellsAvailable),
                  muted: (words) => <span className="text-muted">{words}</span>,
                })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const bitsOf = ({ inputBits, weightBits, activationBits }: PrecisionTry) =>
  `${inputBits}, ${weightBits.join(" ")}, ${activationBits}`;
