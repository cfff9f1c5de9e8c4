"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ChoiceRow, formatCount, Picture } from "@/components/ui";
import type { Accuracy } from "@/lib/common/contract";

type Confusion = NonNullable<Accuracy["confusion"]>;

const views = ["floatToInteger", "labelToInteger", "labelToFloat"] as const;
type View = (typeof views)[number];

/** Names longer than this stand beside the lines only; columns then have numbers. */
const shortName = 3;

/** Which classes are taken for which: a number for every pair, the darker the larger its share of the line. */
export function ConfusionMap({ confusion }: { confusion: Confusion }) {
  const t = useTranslations("accuracy.confusion");
  const shown = views.filter((view) => confusion[view] !== null);
  const [view, setView] = useState<View>("floatToInteger");
  const counts = confusion[view] ?? confusion.floatToInteger;
  const { classes } = confusion;
  const nameOf = (index: number) => classes[index] ?? String(index);
  const cells = counts.flatMap((line, from) =>
    line.map((count, to) => ({ from: nameOf(from), to: nameOf(to), count, isRight: from === to })),
  );
  const sumOf = (some: typeof cells) => some.reduce((sum, { count }) => sum + count, 0);
  const all = sumOf(cells);
  const same = sumOf(cells.filter(({ isRight }) => isRight));
  const [worst] = cells
    .filter(({ isRight, count }) => !isRight && count > 0)
    .toSorted((a, b) => b.count - a.count);
  const areShort = classes.every((name) => name.length <= shortName);
  return (
    <Picture
      title={
        worst
          ? t("finding", {
              same: formatCount(same),
              all: formatCount(all),
              from: worst.from,
              to: worst.to,
              count: formatCount(worst.count),
            })
          : t("allSame", { all: formatCount(all) })
      }
      summary={t(`captions.${view}`)}
      file={`confusion-${view}`}
      rows={cells}
      columns={[
        { id: "from", label: t("fromHead"), value: ({ from }) => from },
        { id: "to", label: t("toHead"), value: ({ to }) => to },
        {
          id: "count",
          label: t("count"),
          value: ({ count }) => count,
          show: ({ count }) => formatCount(count),
        },
      ]}
      choices={
        shown.length < 2 ? null : (
          <ChoiceRow
            label={t("views")}
            choices={shown.map((id) => ({ id, label: t(id) }))}
            value={view}
            onChoose={setView}
          />
        )
      }
    >
      <div className="overflow-x-auto">
        <table className="border-separate border-spacing-0.5 text-label tabular-nums">
          <thead>
            <tr>
              <td />
              {classes.map((name, at) => (
                <th key={name} scope="col" className="font-normal text-muted" title={name}>
                  {areShort ? name : at}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {counts.map((line, from) => {
              const total = line.reduce((sum, count) => sum + count, 0);
              const name = classes[from] ?? String(from);
              return (
                <tr key={name}>
                  <th
                    scope="row"
                    className="max-w-24 truncate pr-1 text-right font-normal text-muted"
                    title={name}
                  >
                    {areShort ? name : `${from} ${name}`}
                  </th>
                  {line.map((count, to) => (
                    <td
                      key={classes[to] ?? to}
                      className="h-7 min-w-7 rounded-[3px] px-1 text-center"
                      style={{ background: shade(count, total, from === to) }}
                      data-point={from * line.length + to}
                    >
                      {count === 0 ? <span className="sr-only">0</span> : formatCount(count)}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Picture>
  );
}

/** Up to 45 % of a colour leaves the text on it readable in both themes; a mistake is seen however rare it is. */
function shade(count: number, total: number, isRight: boolean): string {
  if (count === 0) return "var(--sunken)";
  const share = count / Math.max(1, total);
  const percent = isRight ? 8 + 30 * share : 18 + 27 * share;
  return `color-mix(in srgb, var(${isRight ? "--accent" : "--bad"}) ${percent.toFixed(0)}%, var(--surface))`;
}
