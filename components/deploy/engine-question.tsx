"use client";

import type { EngineSummary, LackingTools } from "@/lib/common/contract";
import { Question } from "./question";
import { ToolsNotice } from "./tools-notice";

export interface EngineChoice {
  readonly engine: EngineSummary;
  /** Why it cannot take the model; null when it can. */
  readonly refusal: string | null;
  /** What else would change if it were chosen: `not on iCEBreaker`. */
  readonly aside: string | null;
}

/** Question 2: one radio group; an engine that cannot take the model or the board says why. */
export function EngineQuestion({
  choices,
  value,
  complaint,
  lack,
  onChoose,
}: {
  choices: readonly EngineChoice[];
  value: string;
  complaint: string | undefined;
  /** What build workers lack for a build by the chosen one. */
  lack: LackingTools | null;
  onChoose: (id: string) => void;
}) {
  return (
    <Question number={2} title="Which engine?" field="engine" complaint={complaint}>
      <div
        role="radiogroup"
        aria-labelledby="title-engine"
        className="rounded-control border border-line"
      >
        {choices.map(({ engine, refusal, aside }) => (
          <label
            key={engine.id}
            className={`grid grid-cols-[20px_minmax(0,1fr)] items-baseline gap-x-2 border-line px-3 py-2.5 first:rounded-t-control last:rounded-b-control not-first:border-t tablet:grid-cols-[20px_132px_minmax(0,1fr)] ${
              value === engine.id
                ? "bg-wash"
                : refusal === null
                  ? "cursor-pointer bg-surface hover:bg-[color-mix(in_srgb,var(--text)_3%,var(--surface))]"
                  : "text-muted"
            } has-focus-visible:outline-2 has-focus-visible:outline-accent`}
          >
            <input
              type="radio"
              name="engine"
              value={engine.id}
              checked={value === engine.id}
              disabled={refusal !== null && value !== engine.id}
              onChange={() => onChoose(engine.id)}
              className="size-3.5 self-center accent-accent outline-none"
            />
            <span className="font-strong">{engine.id}</span>
            <span
              className={`max-tablet:col-start-2 ${refusal && value === engine.id ? "text-bad" : ""}`}
            >
              {refusal ?? engine.summary}
              {aside ? <span className="label"> {aside}</span> : null}
            </span>
          </label>
        ))}
      </div>
      <ToolsNotice engine={value} lack={lack} />
    </Question>
  );
}
