"use client";

import { useMessages, useTranslations } from "next-intl";
import { useState } from "react";
import type { EngineSummary, LackingTools } from "@/lib/common/contract";
import { hasKey } from "@/lib/common/records";
import { Question } from "./question";
import { ToolsNotice } from "./tools-notice";

export interface EngineChoice {
  readonly engine: EngineSummary;
  /** Why it cannot take the model; null when it can. */
  readonly refusal: string | null;
  /** Whether another board would be chosen with it. */
  readonly changesBoard: boolean;
}

/** Question 2: one radio group. Engines that do not accept the model are folded away, each with its reason. */
export function EngineQuestion({
  choices,
  value,
  boardName,
  complaint,
  lack,
  onChoose,
}: {
  choices: readonly EngineChoice[];
  value: string;
  /** Of the chosen board. */
  boardName: string;
  complaint: string | undefined;
  /** What build workers lack for a build by the chosen one. */
  lack: LackingTools | null;
  onChoose: (id: string) => void;
}) {
  const t = useTranslations("deploy.engines");
  const [all, setAll] = useState(false);
  const isFolded = ({ refusal, engine }: EngineChoice) => refusal !== null && engine.id !== value;
  const folded = choices.filter(isFolded).length;
  const shown = all ? choices : choices.filter((choice) => !isFolded(choice));
  return (
    <Question number={2} title={t("title")} field="engine" complaint={complaint}>
      <div
        role="radiogroup"
        aria-labelledby="title-engine"
        className="rounded-control border border-line"
      >
        {shown.map((choice) => (
          <EngineRow
            key={choice.engine.id}
            choice={choice}
            checked={value === choice.engine.id}
            aside={choice.changesBoard ? t("notOn", { board: boardName }) : null}
            onChoose={() => onChoose(choice.engine.id)}
          />
        ))}
      </div>
      {folded > 0 ? (
        <button
          type="button"
          className="mt-1 min-h-6 text-dense text-accent hover:underline"
          aria-expanded={all}
          onClick={() => setAll(!all)}
        >
          {t(all ? "hideOthers" : "showOthers", { count: folded })}
        </button>
      ) : null}
      <ToolsNotice engine={value} lack={lack} />
    </Question>
  );
}

function EngineRow({
  choice: { engine, refusal },
  checked,
  aside,
  onChoose,
}: {
  choice: EngineChoice;
  checked: boolean;
  aside: string | null;
  onChoose: () => void;
}) {
  const look = checked
    ? "bg-wash"
    : refusal === null
      ? `cursor-pointer bg-surface ${aside === null ? "" : "text-muted"} hover:bg-[color-mix(in_srgb,var(--text)_3%,var(--surface))]`
      : "text-muted";
  const summaryOf = useEngineSummary();
  return (
    <label
      className={`grid grid-cols-[20px_minmax(0,1fr)] items-baseline gap-x-2 border-line px-3 py-2 first:rounded-t-control last:rounded-b-control not-first:border-t tablet:grid-cols-[20px_132px_minmax(0,1fr)] ${look} has-focus-visible:outline-2 has-focus-visible:outline-accent`}
    >
      <input
        type="radio"
        name="engine"
        value={engine.id}
        checked={checked}
        disabled={refusal !== null && !checked}
        onChange={onChoose}
        className="size-3.5 self-center accent-accent outline-none"
      />
      <span className="font-strong">{engine.id}</span>
      <span
        className={`max-tablet:col-start-2 max-tablet:text-dense ${refusal && checked ? "text-bad" : ""}`}
      >
        {refusal ?? summaryOf(engine)}
        {aside ? <span className="label"> {aside}</span> : null}
      </span>
    </label>
  );
}

/** What an engine does, in the reader's language where the catalogue knows the engine, else as the engine says it. */
function useEngineSummary(): (engine: EngineSummary) => string {
  const { summaries } = useMessages().deploy.engines;
  return ({ id, summary }) => (hasKey(summaries, id) ? summaries[id] : summary);
}
