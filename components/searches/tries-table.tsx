import { formatCount, formatShare, ToneIcon } from "@/components/ui";
import type { PrecisionTry, SearchResult } from "@/lib/common/contract";

/** The tries of a search, the finest first: bits, what they agree, and what they cost. */
export function TriesTable({ result }: { result: SearchResult }) {
  const { tries, best, cellsAvailable, floatAccuracy, measure, wanted } = result;
  const hasAccuracy = tries.some(({ accuracy }) => accuracy !== null);
  const lowest = Math.min(wanted, ...tries.map(({ agreement }) => agreement));
  // Differences of a few percent are what is looked for: the bars begin a little below the lowest.
  const from = Math.max(0, lowest - 0.02);
  return (
    <div className="overflow-x-auto">
      <table className="table text-dense">
        <thead>
          <tr>
            <th>Bits: inputs, weights, hidden</th>
            <th>{measure === "class" ? "Same class as float" : "Within 1 % of float"}</th>
            {hasAccuracy ? (
              <th className="num">
                Right{floatAccuracy === null ? "" : `, float ${formatShare(floatAccuracy)}`}
              </th>
            ) : null}
            <th className="num">Cells, about</th>
          </tr>
        </thead>
        <tbody>
          {tries.map((each, at) => (
            <tr key={bitsOf(each)} aria-current={at === best ? "true" : undefined}>
              <td className="whitespace-nowrap">
                <span className={at === best ? "font-strong" : ""}>{bitsOf(each)}</span>
                {at === best ? <span className="label"> fewest</span> : null}
              </td>
              <td className="min-w-36">
                <span className="flex items-center gap-2">
                  <ToneIcon tone={each.holds ? "ok" : "bad"} />
                  <span className="w-14">{formatShare(each.agreement)}</span>
                  <span className="bar flex-1" aria-hidden="true">
                    <i
                      className={`bar-fill ${each.holds ? "" : "bg-bad!"}`}
                      style={{ width: `${((each.agreement - from) / (1 - from)) * 100}%` }}
                    />
                    <b
                      className="bar-mark"
                      style={{ left: `${((wanted - from) / (1 - from)) * 100}%` }}
                    />
                  </span>
                </span>
              </td>
              {hasAccuracy ? (
                <td className="num">{each.accuracy === null ? "" : formatShare(each.accuracy)}</td>
              ) : null}
              <td className="num whitespace-nowrap">
                {formatCount(each.cells)}{" "}
                <span className="text-muted">
                  of {formatCount(cellsAvailable)}
                  {each.fits ? "" : ", too many"}
                </span>
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
