"use client";

import { useEffect, useRef, useState } from "react";
import { BoardDrawing, useBoardFacts } from "@/components/boards";
import type { BoardKind, BoardModelSummary } from "@/lib/common/contract";
import type { BoardPick } from "./draft";
import { Question } from "./question";

export interface BoardChoice {
  readonly pick: BoardPick;
  readonly name: string;
  /** Free, busy, made on demand: a few words. */
  readonly note: string;
  readonly refusal: string | null;
  /** What else would change if it were chosen: `not with boardwalk`. */
  readonly aside: string | null;
}

const kindWord = { simulated: "simulated", cpu: "", physical: "" } as const satisfies Record<
  BoardKind,
  string
>;

export const keyOfPick = (pick: BoardPick) =>
  "id" in pick ? pick.id : `${pick.model} ${pick.kind}`;

/** So many boards are shown before all are asked for. */
const shownAtFirst = 5;

/** Question 3: boards that can take it, drawn; the whole catalogue on demand, with what is missing for each. */
export function BoardQuestion({
  choices,
  catalogue,
  value,
  complaint,
  onChoose,
}: {
  choices: readonly BoardChoice[];
  catalogue: readonly BoardModelSummary[];
  value: BoardPick | null;
  complaint: string | undefined;
  onChoose: (pick: BoardPick) => void;
}) {
  const [all, setAll] = useState(false);
  const isChosen = ({ pick }: BoardChoice) =>
    value !== null && keyOfPick(value) === keyOfPick(pick);
  const shown = choices.filter(
    (choice, index) =>
      all || index < shownAtFirst || choice.pick.kind !== "simulated" || isChosen(choice),
  );
  const strip = useRef<HTMLDivElement>(null);
  const chosenAt = shown.findIndex(isChosen);
  useEffect(() => showCard(strip.current, chosenAt), [chosenAt]);
  return (
    <Question number={3} title="Which board?" field="board" complaint={complaint}>
      <div
        ref={strip}
        role="radiogroup"
        aria-labelledby="title-board"
        className={`relative -m-1 flex items-stretch gap-4 p-1 pb-2 ${all ? "flex-wrap" : "overflow-x-auto"}`}
      >
        {shown.map((choice) => (
          <BoardCard
            key={keyOfPick(choice.pick)}
            choice={choice}
            checked={isChosen(choice)}
            onChoose={() => onChoose(choice.pick)}
          />
        ))}
      </div>
      <button
        type="button"
        className="mt-1 min-h-6 text-dense text-accent hover:underline"
        aria-expanded={all}
        onClick={() => setAll(!all)}
      >
        {all ? "Fewer boards" : `All ${catalogue.length} boards`}
      </button>
      {all ? <CatalogueList catalogue={catalogue} /> : null}
    </Question>
  );
}

/** Brings a card into the strip's view, and leaves the page where it is. */
function showCard(strip: HTMLElement | null, index: number): void {
  const card = strip?.children[index];
  if (!strip || !(card instanceof HTMLElement)) return;
  const { offsetLeft: left, offsetWidth: width } = card;
  const hidden = left < strip.scrollLeft || left + width > strip.scrollLeft + strip.clientWidth;
  if (hidden) strip.scrollLeft = left - (strip.clientWidth - width) / 2;
}

function BoardCard({
  choice,
  checked,
  onChoose,
}: {
  choice: BoardChoice;
  checked: boolean;
  onChoose: () => void;
}) {
  const { pick, refusal, aside } = choice;
  const facts = useBoardFacts(pick.model);
  return (
    <label
      className={`flex w-[168px] flex-none flex-col rounded-control border-2 p-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent ${
        checked
          ? "border-accent bg-wash"
          : refusal === null
            ? "cursor-pointer border-transparent hover:border-line"
            : "border-transparent"
      }`}
    >
      <input
        type="radio"
        name="board"
        className="sr-only"
        checked={checked}
        disabled={refusal !== null && !checked}
        onChange={onChoose}
        aria-label={`${choice.name}${kindWord[pick.kind] ? `, ${kindWord[pick.kind]}` : ""}`}
      />
      <span className={`flex h-24 items-end ${refusal === null ? "" : "opacity-40"}`}>
        <BoardDrawing
          drawing={facts.drawing}
          title={facts.name}
          simulated={pick.kind === "simulated"}
          height={88}
        />
      </span>
      <span className="mt-1 font-strong">{choice.name}</span>
      <span
        className={`text-dense ${refusal === null ? "text-muted" : checked ? "text-bad" : "text-muted"}`}
      >
        {refusal ?? choice.note}
        {aside ? <span className="label block">{aside}</span> : null}
      </span>
    </label>
  );
}

function CatalogueList({ catalogue }: { catalogue: readonly BoardModelSummary[] }) {
  const [text, setText] = useState("");
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = catalogue.filter((board) =>
    words.every((word) =>
      `${board.name} ${board.vendor} ${board.family} ${board.part}`.toLowerCase().includes(word),
    ),
  );
  return (
    <div className="mt-3">
      <input
        className="field h-8 max-w-72 text-dense"
        placeholder="Name, vendor or family"
        aria-label="Filter boards"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="mt-2 max-h-72 overflow-y-auto" tabIndex={-1}>
        <table className="table text-dense">
          <thead>
            <tr>
              <th>Board</th>
              <th className="max-tablet:hidden">Part</th>
              <th>Here</th>
            </tr>
          </thead>
          <tbody>
            {found.map((board) => (
              <tr key={board.id}>
                <td>
                  {board.name} <span className="label">{board.vendor}</span>
                </td>
                <td className="max-tablet:hidden">
                  <code>{board.part}</code>
                </td>
                <td className="text-muted">
                  {board.bitstreamNeeds === null
                    ? "can be built for"
                    : `simulated now; bitstream needs ${board.bitstreamNeeds}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {found.length === 0 ? <p className="py-3 text-muted">No board matches “{text}”.</p> : null}
      </div>
    </div>
  );
}
