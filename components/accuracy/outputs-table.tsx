import { formatDigits, formatShare } from "@/components/ui";
import type { OutputAccuracy } from "@/lib/common/contract";

/** How near each of several outputs comes to the float model's; nothing for a model with one. */
export function OutputsTable({ outputs }: { outputs: readonly OutputAccuracy[] | undefined }) {
  if (!outputs || outputs.length < 2) return null;
  const hasClasses = outputs.some(({ agreement }) => agreement !== null);
  const hasLabels = outputs.some(({ labelled }) => labelled);
  return (
    <div className="mt-6 overflow-x-auto">
      <table className="table text-dense">
        <caption className="sr-only">How near each output comes to the float model</caption>
        <thead>
          <tr>
            <th scope="col">Output</th>
            {hasClasses ? (
              <th scope="col" className="num">
                Same class as float
              </th>
            ) : null}
            {hasLabels ? (
              <>
                <th scope="col" className="num">
                  Right, in integers
                </th>
                <th scope="col" className="num">
                  Right, in float
                </th>
              </>
            ) : null}
            <th scope="col" className="num">
              Largest difference
            </th>
            <th scope="col" className="num">
              Mean difference
            </th>
          </tr>
        </thead>
        <tbody>
          {outputs.map((each) => (
            <tr key={each.output}>
              <th scope="row">{each.output}</th>
              {hasClasses ? <Share share={each.agreement} /> : null}
              {hasLabels ? (
                <>
                  <Share share={each.integerAccuracy} />
                  <Share share={each.floatAccuracy} />
                </>
              ) : null}
              <td className="num">{formatDigits(each.maxAbsError)}</td>
              <td className="num">{formatDigits(each.meanAbsError)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Of an output without classes or labels, nothing. */
function Share({ share }: { share: number | null }) {
  return <td className="num">{share === null ? "–" : formatShare(share)}</td>;
}
