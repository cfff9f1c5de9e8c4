"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useBoardTitles } from "@/components/boards";
import { modelTitle, shortId, useResourceName } from "@/components/ui";
import type { Build } from "@/lib/common/contract";
import { BuildState } from "../build-state";
import { letterOf } from "./compared";
import { type Row, rowsOf } from "./rows";

/** The builds as columns: what was asked and what came of it, differences and the best of each row marked. */
export function CompareTable({
  builds,
  onRemove,
}: {
  builds: readonly Build[];
  onRemove: (id: string) => void;
}) {
  const t = useTranslations("builds.compare");
  const boardTitle = useBoardTitles();
  const rows = rowsOf(
    builds,
    {
      boardTitle: (build) => boardTitle(build.boardModel, build.boardKind),
      resourceName: useResourceName(),
    },
    t,
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="relative overflow-x-auto" aria-label={t("name")} tabIndex={0}>
      <table className="table text-dense">
        <thead>
          <tr>
            <td />
            {builds.map((build, index) => (
              <th key={build.id} scope="col" className="min-w-36 align-bottom">
                <b className="block text-body text-copper">{letterOf(index)}</b>
                <Link href={`/builds/${build.id}`} className="block max-w-48 truncate text-dense">
                  {build.endpointName ?? modelTitle(build.modelUrl, build.modelName)}
                </Link>
                <span className="block">{shortId(build.id)}</span>
                <BuildState build={build} />
                <button
                  type="button"
                  className="btn btn-quiet btn-dense -ml-2 flex!"
                  onClick={() => onRemove(build.id)}
                >
                  {t.rich("leaveOut", {
                    which: letterOf(index),
                    letter: (words) => <span className="sr-only">{words}</span>,
                  })}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.label} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Line({ row: { label, cells, differs } }: { row: Row }) {
  const t = useTranslations("builds.compare");
  return (
    <tr>
      <th scope="row" className={`pr-6! align-top ${differs ? "text-text!" : ""}`}>
        <span aria-hidden="true" className="inline-block w-4 text-copper">
          {differs ? "≠" : ""}
        </span>
        {label}
        {differs ? <span className="sr-only">{t("differs")}</span> : null}
      </th>
      {cells.map(({ text, isBest }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
        <td key={index} className={`py-1.5! align-top ${differs ? "" : "text-muted"}`}>
          {text}
          {isBest ? <span className="ml-2 whitespace-nowrap text-ok">{t("best")}</span> : null}
        </td>
      ))}
    </tr>
  );
}
