import { useTranslations } from "next-intl";
import { formatDigits, formatShare } from "@/components/ui";
import type { OutputAccuracy } from "@/lib/common/contract";

interface Column {
  readonly key: "agreement" | "integer" | "float" | "maxError" | "meanError";
  /** Null of an output that has none. */
  readonly read: (output: OutputAccuracy) => number | null;
  readonly format: (value: number) => string;
}

/** Those that no output has a value of are left out. */
const columns: readonly Column[] = [
  { key: "agreement", read: ({ agreement }) => agreement, format: formatShare },
  { key: "integer", read: (each) => each.integerAccuracy, format: formatShare },
  { key: "float", read: (each) => each.floatAccuracy, format: formatShare },
  { key: "maxError", read: (each) => each.maxAbsError, format: formatDigits },
  { key: "meanError", read: (each) => each.meanAbsError, format: formatDigits },
];

/** How near each of several outputs comes to the float model's; nothing for a model with one. */
export function OutputsTable({ outputs }: { outputs: readonly OutputAccuracy[] | undefined }) {
  const t = useTranslations("accuracy.outputs");
  if (!outputs || outputs.length < 2) return null;
  const shown = columns.filter(({ read }) => outputs.some((each) => read(each) !== null));
  return (
    <div className="mt-6 overflow-x-auto">
      <table className="table text-dense">
        <caption className="sr-only">{t("caption")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("output")}</th>
            {shown.map(({ key }) => (
              <th key={key} scope="col" className="num">
                {t(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {outputs.map((each) => (
            <tr key={each.output}>
              <th scope="row">{each.output}</th>
              {shown.map(({ key, read, format }) => (
                <td key={key} className="num">
                  {shownOr(read(each), format)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const shownOr = (value: number | null, format: Column["format"]): string =>
  value === null ? "–" : format(value);
