"use client";

import { formatDuration, useNow } from "@/components/ui";
import type { Build, Stage } from "@/lib/common/contract";

const dot = {
  waiting: "border-line-strong bg-bg",
  running: "border-accent bg-accent",
  succeeded: "border-line-strong bg-line-strong",
  failed: "border-bad bg-bad",
  cancelled: "border-info bg-bg",
  skipped: "border-dashed border-line-strong bg-bg",
} as const satisfies Record<Stage["state"], string>;

const shortPx = 30;
const longPx = 132;

/** Height of a stage: short ones all alike, long ones by the root of their time, so that minutes still fit. */
function heightOf(durationMs: number): number {
  const seconds = durationMs / 1000;
  return Math.round(Math.min(longPx, shortPx + Math.sqrt(Math.max(0, seconds - 1)) * 16));
}

/** The stages as one vertical line whose segments are as long as they took. */
export function StageLine({ build }: { build: Build }) {
  const now = useNow();
  return (
    <ol aria-label="Stages">
      {build.stages.map((stage, index) => {
        const elapsed =
          stage.state === "running" && stage.startedAt && now > 0
            ? Math.max(0, now - Date.parse(stage.startedAt))
            : stage.durationMs;
        const last = index === build.stages.length - 1;
        return (
          <li
            key={stage.name}
            className={`relative grid grid-cols-[14px_1fr_auto] gap-2.5 transition-[min-height] duration-200 ease-out ${
              stage.state === "waiting" || stage.state === "skipped" ? "text-muted" : ""
            }`}
            style={{ minHeight: elapsed === null ? shortPx : heightOf(elapsed) }}
          >
            {last ? null : (
              <span
                aria-hidden="true"
                className={`absolute top-4 -bottom-1.5 left-[5px] w-0.5 overflow-hidden ${
                  stage.state === "succeeded"
                    ? "bg-line-strong"
                    : stage.state === "failed"
                      ? "bg-bad"
                      : "bg-line"
                }`}
              >
                {stage.state === "running" ? (
                  <i className="absolute inset-0 animate-[rise_1.6s_linear_infinite] bg-accent" />
                ) : null}
              </span>
            )}
            <i
              aria-hidden="true"
              className={`relative mt-[5px] size-3 rounded-full border-[1.5px] ${dot[stage.state]}`}
            />
            <span
              className={stage.state === "running" || stage.state === "failed" ? "font-strong" : ""}
            >
              {stage.name}
              {stage.state === "skipped" || stage.state === "cancelled" ? (
                <span className="label"> {stage.state}</span>
              ) : null}
              {stage.state === "failed" ? (
                <span className="text-dense text-bad"> failed</span>
              ) : null}
              <span className="sr-only">, {stage.state}</span>
              {stage.reason ? <span className="label block pr-2">{stage.reason}</span> : null}
            </span>
            <span className="pt-0.5 text-dense text-muted">
              {elapsed === null ? "" : formatDuration(elapsed)}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
