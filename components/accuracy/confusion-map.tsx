"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { formatCount } from "@/components/ui";
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
  const areShort = classes.every((name) => name.length <= shortName);
  return (
    <div className="min-w-0">
      <h3 className="mb-1">{t("title")}</h3>
      <fieldset className="mb-3 flex flex-wrap gap-x-4">
        <legend className="sr-only">{t("views")}</legend>
        {shown.length < 2
          ? null
          : shown.map((each) => (
              <button
                key={each}
                type="button"
                className="tab mb-0! py-0.5! text-dense"
                aria-pressed={each === view}
                onClick={() => setView(each)}
              >
                {t(each)}
              </button>
            ))}
      </fieldset>
      <div className="overflow-x-auto">
        <table className="border-separate border-spacing-0.5 text-label tabular-nums">
          <caption className="pb-1 text-left text-muted">{t(`captions.${view}`)}</caption>
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
                      title={t("cell", {
                        from: name,
                        to: classes[to] ?? String(to),
                        count: formatCount(count),
                      })}
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
    </div>
  );
}

/** Up to 45 % of a colour leaves the text on it readable in both themes; a mistake is seen however rare it is. */
function shade(count: number, total: number, isRight: boolean): string {
  if (count === 0) return "var(--sunken)";
  const share = count / Math.max(1, total);
  const percent = isRight ? 8 + 30 * share : 18 + 27 * share;
  return `color-mix(in srgb, var(${isRight ? "--accent" : "--bad"}) ${percent.toFixed(0)}%, var(--surface))`;
}
