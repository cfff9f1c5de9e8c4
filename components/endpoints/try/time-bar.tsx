"use client";

import { useState } from "react";
import { Amount, ChoiceRow, formatCount, formatMhz, formatNs, quantityOfNs } from "@/components/ui";
import type { Timing } from "@/lib/common/contract";
import { chipNs, splitTime, type TimePart, widthsOf } from "./time-split";

const colour = {
  browser: "color-mix(in srgb, var(--info) 35%, var(--bg))",
  queue: "color-mix(in srgb, var(--info) 60%, var(--bg))",
  gateway: "var(--info)",
  link: "color-mix(in srgb, var(--copper) 22%, var(--bg))",
  host: "color-mix(in srgb, var(--copper) 40%, var(--bg))",
  simulator:
    "repeating-linear-gradient(135deg, color-mix(in srgb, var(--copper) 55%, var(--bg)) 0 3px, color-mix(in srgb, var(--copper) 15%, var(--bg)) 3px 6px)",
  compute: "color-mix(in srgb, var(--copper) 60%, var(--bg))",
  chip: "var(--copper)",
} as const satisfies Record<TimePart["id"], string>;

/** Where the time of one prediction went, from the browser to the cycles on the chip, as one bar. */
export function TimeBar({ totalNs, timing }: { totalNs: number; timing: Timing }) {
  const [scale, setScale] = useState<"linear" | "log">("linear");
  const parts = splitTime(totalNs, timing);
  const widths = widthsOf(parts, scale);
  const total = quantityOfNs(totalNs);
  const chip = chipNs(timing);
  return (
    <section aria-label="Time split" className="mt-10">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2>
          Where <Amount {...total} /> went
        </h2>
        <ChoiceRow
          label="Scale"
          choices={[
            { id: "linear", label: "linear" },
            { id: "log", label: "logarithmic" },
          ]}
          value={scale}
          onChoose={setScale}
        />
      </div>
      <div aria-hidden="true" className="my-2 flex h-[26px] overflow-hidden rounded-[4px]">
        {parts.map((part, index) => (
          <i
            key={part.id}
            title={`${part.label} ${formatNs(part.ns)}`}
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
        {parts.map((part) => (
          <li key={part.id} className="whitespace-nowrap">
            <i
              aria-hidden="true"
              className="mr-1.5 inline-block size-2.5 rounded-[2px]"
              style={{ background: colour[part.id] }}
            />
            {part.label}{" "}
            {part.id === "chip" && timing.cycles !== undefined ? (
              <b className="text-copper">{formatCount(timing.cycles)} cycles, </b>
            ) : null}
            {formatNs(part.ns)}
            {part.id === "chip" && timing.clockHz ? ` at ${formatMhz(timing.clockHz)}` : null}
          </li>
        ))}
      </ul>
      {timing.simulated && chip !== null ? (
        <p className="mt-2 max-w-[68ch] text-dense text-muted">
          The board is simulated cycle by cycle: the cycles are the core's own count, and their time
          is what they last at the real clock.
        </p>
      ) : null}
    </section>
  );
}
