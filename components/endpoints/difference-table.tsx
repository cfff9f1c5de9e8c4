import { useTranslations } from "next-intl";
import type { Difference } from "./differences";

/** Settings in which two revisions differ, old beside new; or that none does. */
export function DifferenceTable({
  differences,
  before,
  after,
}: {
  differences: readonly Difference[];
  /** What the columns are called. */
  before: string;
  after: string;
}) {
  const t = useTranslations("endpoints.differences");
  if (differences.length === 0) return <p className="mt-4 text-dense text-muted">{t("none")}</p>;
  return (
    <table className="table mt-4 text-dense">
      <thead>
        <tr>
          <th>{t("setting")}</th>
          <th>{before}</th>
          <th>{after}</th>
        </tr>
      </thead>
      <tbody>
        {differences.map((each) => (
          <tr key={each.name}>
            <td>{each.name}</td>
            <td className="break-all text-muted">{each.before}</td>
            <td className="break-all">{each.after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
