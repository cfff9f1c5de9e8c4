"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ChoiceRow, formatCount, formatMhz, formatNs, formatShare, Picture } from "@/components/ui";
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
  const rows = server.map((part, index) => ({ ...part, width: widths[index] ?? 0 }));
  const [largest] = server.toSorted((a, b) => b.ns - a.ns);
  if (!largest) return null;
  const shareOf = ({ ns }: { ns: number }) => (serverNs > 0 ? ns / serverNs : 0);
  return (
    <section aria-label={t("timeSplit")} className="mt-10">
      <Picture
        heading="h2"
        title={t("timeFinding", {
          time: formatNs(serverNs),
          share: formatShare(shareOf(largest)),
          part: label(largest.id),
        })}
        summary={t("outsideTime", {
          outside: formatNs(outsideNs),
          share: formatShare(totalNs > 0 ? outsideNs / totalNs : 0),
          total: formatNs(totalNs),
        })}
        file="time-split"
        rows={rows}
        columns={[
          { id: "part", label: t("part"), value: ({ id }) => id, show: ({ id }) => label(id) },
          { id: "ns", label: t("time"), value: ({ ns }) => ns, show: ({ ns }) => formatNs(ns) },
          {
            id: "share",
            label: t("partShare"),
            value: shareOf,
            show: (row) => formatShare(shareOf(row)),
          },
        ]}
        choices={
          <ChoiceRow
            label={t("scale")}
            choices={[
              { id: "linear", label: t("linear") },
              { id: "log", label: t("logarithmic") },
            ]}
            value={scale}
            onChoose={setScale}
          />
        }
      >
        <div className="my-2 flex h-[26px] overflow-hidden rounded-[4px] bg-sunken">
          {rows.map(({ id, width }, index) => (
            <i
              key={id}
              data-point={index}
              className="h-full transition-[width] duration-200 ease-out"
              style={{
                width: `${width * 100}%`,
                minWidth: id === "chip" ? 2 : 0,
                background: colour[id],
              }}
            />
          ))}
        </div>
        <ul className="flex flex-wrap gap-x-5 gap-y-1 text-dense">
          {server.map((part) => (
            <li key={part.id} className="whitespace-nowrap">
              <i
                className="mr-1.5 inline-block size-2.5 rounded-[2px]"
                style={{ background: colour[part.id] }}
              />
              {label(part.id)}{" "}
              {part.id === "chip" && timing.cycles !== undefined ? (
                <b className="text-copper">
                  {t("cycles", { cycles: formatCount(timing.cycles) })},{" "}
                </b>
              ) : null}
              {formatNs(part.ns)}
              {part.id === "chip" && timing.clockHz
                ? ` ${t("atClock", { clock: formatMhz(timing.clockHz) })}`
                : null}
            </li>
          ))}
        </ul>
      </Picture>
      {timing.simulated && chipNs(timing) !== null ? (
        <p className="mt-2 max-w-[68ch] text-dense text-muted">{t("simulatedNote")}</p>
      ) : null}
    </section>
  );
}
