import { useTranslations } from "next-intl";
import { formatCount, formatDigits } from "@/components/ui";
import type { WorstRow } from "@/lib/common/contract";

/** Features of a row that fit a line; the rest unfolds. */
const inLine = 5;

/** The rows whose answers differ most: what went in, and what both models said. */
export function WorstRows({
  worst,
  classes,
}: {
  worst: readonly WorstRow[];
  classes: readonly string[];
}) {
  const t = useTranslations("accuracy.worst");
  if (worst.length === 0) return null;
  return (
    <div className="mt-8">
      <h3 className="mb-2">{t("title")}</h3>
      <ol className="grid gap-x-12 gap-y-5 desk:grid-cols-2">
        {worst.map((row) => (
          <li key={row.row} className="min-w-0 border-t border-line pt-2 text-dense">
            <Verdict row={row} classes={classes} />
            <Numbers name={t("float")} values={row.float} count={row.float.length} />
            <Numbers name={t("integer")} values={row.integer} count={row.integer.length} />
            <Numbers name={t("features")} values={row.features} count={row.featureCount} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function Verdict({ row, classes }: { row: WorstRow; classes: readonly string[] }) {
  const t = useTranslations("accuracy.worst");
  const { floatClass, integerClass, label, absError } = row;
  const nameOf = (index: number) => classes[index] ?? String(index);
  return (
    <p className="mb-1 flex flex-wrap gap-x-3">
      <b>{t("row", { row: formatCount(row.row) })}</b>
      {floatClass === null || integerClass === null ? null : floatClass === integerClass ? (
        <span>{t("same", { name: nameOf(floatClass) })}</span>
      ) : (
        <span>
          {nameOf(floatClass)} → <span className="text-bad">{nameOf(integerClass)}</span>
        </span>
      )}
      {label === null || floatClass === null ? null : (
        <span>{t("label", { name: nameOf(label) })}</span>
      )}
      <span className="text-muted">{t("difference", { value: formatDigits(absError) })}</span>
    </p>
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
  const t = useTranslations("accuracy.worst");
  const text = (some: readonly number[]) => some.map(shortNumber).join("  ");
  const head = (
    <>
      <span className="inline-block w-16 text-muted">{name}</span>
      <span className="font-mono text-label whitespace-pre-wrap">
        {text(values.slice(0, inLine))}
      </span>
    </>
  );
  if (count <= inLine) return <div>{head}</div>;
  return (
    <details>
      <summary className="cursor-pointer">
        {head} <span className="text-muted">+ {formatCount(count - inLine)}</span>
      </summary>
      <p className="pl-16 font-mono text-label whitespace-pre-wrap">
        {text(values.slice(inLine))}
        {values.length < count
          ? `  ${t("more", { count: formatCount(count - values.length) })}`
          : ""}
      </p>
    </details>
  );
}

/** Three digits; of what is next to nothing, its power of ten. */
function shortNumber(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) < 0.001 ? value.toExponential(0) : String(Number(value.toPrecision(3)));
}
