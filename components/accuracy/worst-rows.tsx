import { formatCount, formatDigits } from "@/components/ui";
import type { WorstRow } from "@/lib/common/contract";

/** Features of a row that fit a line; the rest unfolds. */
const inLine = 6;

/** The rows whose answers differ most: what went in, and what both models said. */
export function WorstRows({
  worst,
  classes,
  labelled,
}: {
  worst: readonly WorstRow[];
  classes: readonly string[];
  labelled: boolean;
}) {
  if (worst.length === 0) return null;
  const hasClasses = worst.some(({ floatClass }) => floatClass !== null);
  const nameOf = (index: number | null) =>
    index === null ? "" : (classes[index] ?? String(index));
  return (
    <div className="mt-8">
      <h3 className="mb-1">The rows that differ most</h3>
      <div className="overflow-x-auto">
        <table className="table text-dense">
          <thead>
            <tr>
              <th className="num">Row</th>
              {hasClasses ? <th>Float → integers</th> : null}
              {labelled ? <th>Label</th> : null}
              <th className="num">Difference</th>
              <th>Answers, features</th>
            </tr>
          </thead>
          <tbody>
            {worst.map((row) => (
              <tr key={row.row}>
                <td className="num align-top">{formatCount(row.row)}</td>
                {hasClasses ? (
                  <td className="align-top whitespace-nowrap">
                    {row.floatClass === row.integerClass ? (
                      nameOf(row.floatClass)
                    ) : (
                      <>
                        {nameOf(row.floatClass)} →{" "}
                        <span className="text-bad">{nameOf(row.integerClass)}</span>
                      </>
                    )}
                  </td>
                ) : null}
                {labelled ? <td className="align-top">{nameOf(row.label)}</td> : null}
                <td className="num align-top">{formatDigits(row.absError)}</td>
                <td className="align-top">
                  <Numbers name="float" values={row.float} count={row.float.length} />
                  <Numbers name="integers" values={row.integer} count={row.integer.length} />
                  <Numbers name="features" values={row.features} count={row.featureCount} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Numbers({
  name,
  values,
  count,
}: {
  name: string;
  values: readonly number[];
  count: number;
}) {
  const text = (some: readonly number[]) => some.map(shortNumber).join("  ");
  const head = (
    <>
      <span className="inline-block w-16 text-muted">{name}</span>
      <span className="font-mono text-label whitespace-pre-wrap">
        {text(values.slice(0, inLine))}
      </span>
    </>
  );
  if (count <= inLine) return <div className="min-w-64">{head}</div>;
  return (
    <details className="min-w-64">
      <summary className="cursor-pointer">
        {head} <span className="text-muted">+ {formatCount(count - inLine)}</span>
      </summary>
      <p className="max-w-[72ch] pl-16 font-mono text-label whitespace-pre-wrap">
        {text(values.slice(inLine))}
        {values.length < count ? `  and ${formatCount(count - values.length)} more` : ""}
      </p>
    </details>
  );
}

const shortNumber = (value: number) =>
  Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3)));
