"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { BoardCard } from "./board-card";
import { type BoardFilter, type BoardVerdict, glance, shownBoards } from "./board-verdict";
import type { BoardChoice } from "./choices";
import { type BoardPick, keyOfPick } from "./draft";
import { Question } from "./question";

const noFilter: BoardFilter = { text: "", fitting: false, all: false };

/**
 * Question 3: one grid of all boards, those that are free first, each with what is to be said of it for this model. Arrow keys go
 * from card to card and choose nothing, since a choice may change the engine; Space or Enter chooses.
 */
export function BoardQuestion({
  choices,
  verdicts,
  value,
  engine,
  complaint,
  onChoose,
}: {
  choices: readonly BoardChoice[];
  verdicts: ReadonlyMap<string, BoardVerdict>;
  value: BoardPick | null;
  /** The chosen engine. */
  engine: string;
  complaint: string | undefined;
  onChoose: (pick: BoardPick) => void;
}) {
  const t = useTranslations("deploy.boards");
  const [filter, setFilter] = useState(noFilter);
  const grid = useRef<HTMLDivElement>(null);
  const gridId = useId();
  const chosen = value === null ? null : keyOfPick(value);
  const { shown, matching } = shownBoards(choices, { filter, verdicts, chosen });
  const isFiltered = filter.text !== "" || filter.fitting;
  return (
    <Question number={3} title={t("title")} field="board" complaint={complaint}>
      <FilterLine
        filter={filter}
        controls={gridId}
        knowsFits={verdicts.size > 0}
        onFilter={setFilter}
        onDown={() => focusCard(grid.current, 0)}
      />
      <div
        ref={grid}
        id={gridId}
        role="radiogroup"
        aria-labelledby="title-board"
        className="mt-2 grid gap-2 tablet:grid-cols-2"
        onKeyDown={(event) => onGridKey(event, grid.current)}
      >
        {shown.map((choice) => (
          <BoardCard
            key={keyOfPick(choice.pick)}
            choice={choice}
            verdict={verdicts.get(keyOfPick(choice.pick))}
            checked={chosen === keyOfPick(choice.pick)}
            engine={engine}
            onChoose={() => onChoose(choice.pick)}
          />
        ))}
      </div>
      <p className="mt-2 flex flex-wrap items-baseline gap-x-4 text-dense">
        <span role="status" className="text-muted">
          {shown.length > 0 || !isFiltered
            ? t("shown", { shown: shown.length, all: choices.length })
            : filter.text === ""
              ? t("noneFits")
              : t("noneMatches", { text: filter.text })}
        </span>
        {isFiltered ? (
          <Press onPress={() => setFilter({ ...noFilter, all: filter.all })}>{t("clear")}</Press>
        ) : null}
        {matching > shown.length || (filter.all && choices.length > glance) ? (
          <Press isExpanded={filter.all} onPress={() => setFilter({ ...filter, all: !filter.all })}>
            {filter.all ? t("showFewer") : t("showAll", { count: matching })}
          </Press>
        ) : null}
      </p>
    </Question>
  );
}

function FilterLine({
  filter,
  controls,
  knowsFits,
  onFilter,
  onDown,
}: {
  filter: BoardFilter;
  controls: string;
  /** Whether there is anything to say yet of boards. */
  knowsFits: boolean;
  onFilter: (filter: BoardFilter) => void;
  onDown: () => void;
}) {
  const t = useTranslations("deploy.boards");
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <input
        type="search"
        className="field h-8 max-w-72 min-w-0 flex-1 basis-48 text-dense"
        placeholder={t("filterHint")}
        aria-label={t("filter")}
        aria-controls={controls}
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          onDown();
        }}
      />
      <label className="flex min-h-8 items-center gap-2 text-dense">
        <input
          type="checkbox"
          checked={filter.fitting}
          disabled={!knowsFits}
          onChange={(event) => onFilter({ ...filter, fitting: event.target.checked })}
        />
        {t("fitting")}
      </label>
    </div>
  );
}

function Press({
  isExpanded,
  onPress,
  children,
}: {
  isExpanded?: boolean;
  onPress: () => void;
  children: string;
}) {
  return (
    <button
      type="button"
      className="min-h-6 text-accent hover:underline"
      aria-expanded={isExpanded}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
};

const cardsOf = (grid: HTMLElement | null) => [
  ...(grid?.querySelectorAll<HTMLInputElement>("input[type=radio]:not(:disabled)") ?? []),
];

function focusCard(grid: HTMLElement | null, index: number): void {
  const cards = cardsOf(grid);
  const card = cards[(index + cards.length) % Math.max(1, cards.length)];
  card?.focus();
  card?.closest("label")?.scrollIntoView({ block: "nearest" });
}

/** Arrows would choose each radio that they pass; here they only go there. */
function onGridKey(event: KeyboardEvent, grid: HTMLElement | null): void {
  const { target, key } = event;
  if (!(target instanceof HTMLInputElement) || event.ctrlKey || event.metaKey) return;
  const at = cardsOf(grid).indexOf(target);
  const step = steps[key];
  if (step !== undefined) focusCard(grid, at + step);
  else if (key === "Home") focusCard(grid, 0);
  else if (key === "End") focusCard(grid, -1);
  else if (key === "Enter") target.click();
  else return;
  event.preventDefault();
}
