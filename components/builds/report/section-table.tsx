import { useTranslations } from "next-intl";
import { Fragment } from "react";
import { ResourceTerm } from "@/components/glossary";
import { formatCount, useResourceName } from "@/components/ui";
import type { Report, SectionGroup, SectionUse } from "@/lib/common/contract";
import type { SectionLook } from "./section-hues";
import { SectionSwatch } from "./section-texture";

const groups = ["core", "shell", "board"] as const satisfies readonly SectionGroup[];

/** What each section of the design takes, core and shell apart. A row that is pointed at or focused is the chosen one. */
export function SectionTable({
  sections,
  resources,
  hues,
  nameOf,
  onChoose,
}: {
  sections: readonly SectionUse[];
  resources: Report["resources"];
  hues: ReadonlyMap<string, SectionLook>;
  nameOf: (section: string) => string;
  onChoose: (section: string | null) => void;
}) {
  const t = useTranslations("builds.report");
  const titleOf = useResourceName();
  const columns = resources.filter(
    ({ id, used }) => used > 0 && sections.some(({ uses }) => uses[id]),
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="relative overflow-x-auto" aria-label={t("sectionTable")} tabIndex={0}>
      <table className="table text-dense">
        <thead>
          <tr>
            <th scope="col">{t("section")}</th>
            {columns.map(({ id, name }) => (
              <th key={id} scope="col" className="num">
                <ResourceTerm id={id}>{titleOf({ id, name })}</ResourceTerm>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => {
            const title = t(`groups.${group}`);
            const own = sections.filter((section) => section.group === group);
            if (own.length === 0) return null;
            return (
              <Fragment key={group}>
                <Sum title={title} sections={own} columns={columns} />
                {own.map(({ id, name, uses }) => (
                  <tr
                    key={id}
                    onPointerEnter={() => onChoose(id)}
                    onPointerLeave={() => onChoose(null)}
                  >
                    <th scope="row" className="py-1!">
                      <button
                        type="button"
                        className="flex items-center gap-2 text-left text-dense whitespace-normal text-text"
                        title={name}
                        onFocus={() => onChoose(id)}
                        onBlur={() => onChoose(null)}
                      >
                        <SectionSwatch look={hues.get(id)} />
                        {nameOf(id)}
                      </button>
                    </th>
                    {columns.map((column) => (
                      <Count key={column.id} count={uses[column.id] ?? 0} />
                    ))}
                  </tr>
                ))}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function Sum({
  title,
  sections,
  columns,
}: {
  title: string;
  sections: readonly SectionUse[];
  columns: Report["resources"];
}) {
  return (
    <tr className="font-strong">
      <th scope="row" className="pt-4! pb-1! text-dense! font-strong! text-text!">
        {title}
      </th>
      {columns.map(({ id }) => {
        const sum = sections.reduce((all, { uses }) => all + (uses[id] ?? 0), 0);
        return (
          <td key={id} className="num pt-4! pb-1!">
            {sum === 0 ? <span className="text-muted">–</span> : formatCount(sum)}
          </td>
        );
      })}
    </tr>
  );
}

const Count = ({ count }: { count: number }) => (
  <td className="num py-1!">
    {count === 0 ? <span className="text-muted">–</span> : formatCount(count)}
  </td>
);
