"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import {
  Amount,
  ChoiceRow,
  formatCount,
  formatMhz,
  formatNs,
  formatShare,
  quantityOfNs,
} from "@/components/ui";
import type { Timing } from "@/lib/common/contract";
import { chipNs, splitTime, type TimePart, widthsOf } from "../answer/time-split";

const colour = {
  queue: "color-mix(in srgb, var(--info) 60%, var(--bg))",
  gateway: "var(--info)",
  link: "color-mix(in srgb, var(--copper) 22%, var(--bg))",
  host: "color-mix(in srgb, var(--copper) 40%, var(--bg))",
  simulator:
    "repeating-linear-gradient(135deg, color-mix(in srgb, var(--copper) 55%, var(--bg)) 0 3px, color-mix(in srgb, var(--copper) 15%, var(--bg)) 3px 6px)",
  compute: "color-mix(in srgb, var(--copper) 60%, var(--bg))",
  chip: "var(--copper)",
} as const satisfies Record<TimePart["id"], string>;

/**
 * Where the time of one prediction went. What the server did fills the bar, down to the cycles on the chip; browser and network,
 * which would leave nothing to see of it, are told apart.
 */
export function TimeBar({ totalNs, timing }: { totalNs: number; timing: Timing }) {
  const t = useTranslations("predictions");
  const [scale, setScale] = useState<"linear" | "log">("linear");
  const { server, serverNs, outsideNs } = splitTime(totalNs, timing);
  const widths = widthsOf(server, scale);
  const label = (id: TimePart["id"]) =>
    id === "simulator" && !timing.simulated ? t("parts.around") : t(`parts.${id}`);
  return (
    <section aria-label={t("timeSplit")} className="mt-10">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2>{t.rich("timeTitle", { time: () => <Amount {...quantityOfNs(serverNs)} /> })}</h2>
        <ChoiceRow
          label={t("scale")}
          choices={[
            { id: "linear", label: t("linear") },
            { id: "log", label: t("logarithmic") },
          ]}
          value={scale}
          onChoose={setScale}
        />
      </div>
      <div
        aria-hidden="true"
        className="my-2 flex h-[26px] overflow-hidden rounded-[4px] bg-sunken"
      >
        {server.map((part, index) => (
          <i
            key={part.id}
            title={`${label(part.id)} ${formatNs(part.ns)}`}
            className="h-full transition-[width] duration-200 ease-out"
            style={{
              width: `${(widths[index] ?? 0) * 100}%`,
              minWidth: part.id === "chip" ? 2 : 0,
              background: colour[part.id],
            }}
          />
        ))}
      </div>
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-dense">
        {server.map((part) => (
          <li key={part.id} className="whitespace-nowrap">
            <i
              aria-hidden="true"
              className="mr-1.5 inline-block size-2.5 rounded-[2px]"
              style={{ background: colour[part.id] }}
            />
            {label(part.id)}{" "}
            {part.id === "chip" && timing.cycles !== undefined ? (
              <b className="text-copper">{t("cycles", { cycles: formatCount(timing.cycles) })}, </b>
            ) : null}
            {formatNs(part.ns)}
            {part.id === "chip" && timing.clockHz
              ? ` ${t("atClock", { clock: formatMhz(timing.clockHz) })}`
              : null}
          </li>
        ))}
      </ul>
      <p className="mt-2 text-dense text-muted">
        {t("outsideTime", {
          outside: formatNs(outsideNs),
          share: formatShare(totalNs > 0 ? outsideNs / totalNs : 0),
          total: formatNs(totalNs),
        })}
      </p>
      {timing.simulated && chipNs(timing) !== null ? (
        <p className="mt-2 max-w-[68ch] text-dense text-muted">{t("simulatedNote")}</p>
      ) : null}
    </section>
  );
}
