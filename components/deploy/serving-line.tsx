"use client";

import type { Draft } from "./draft";
import { Question } from "./question";

type ServingDraft = Draft["serving"];

/** How many slots serve, how many rows may share a call of theirs, and how long the first of them waits for others. */
export function ServingLine({
  value,
  onChange,
}: {
  value: ServingDraft;
  onChange: (value: ServingDraft) => void;
}) {
  const set = (name: keyof ServingDraft, text: string) => {
    const { [name]: _old, ...rest } = value;
    const number = Number(text);
    onChange(text === "" || !(number >= 0) ? rest : { ...rest, [name]: number });
  };
  return (
    <Question number="+" title="Serving" field="serving" complaint={undefined}>
      <p className="mb-2 flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <label htmlFor="serving-replicas">Serve with</label>
        <input
          id="serving-replicas"
          className="field h-8 w-20 text-dense"
          type="number"
          min={1}
          max={16}
          step={1}
          placeholder="1"
          value={value.replicas ?? ""}
          onChange={(event) => set("replicas", event.target.value)}
        />
        <span>boards or CPU slots side by side.</span>
      </p>
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <label htmlFor="serving-rows">Batch up to</label>
        <input
          id="serving-rows"
          className="field h-8 w-32 text-dense"
          type="number"
          min={1}
          max={4096}
          step={1}
          placeholder="all it takes"
          value={value.maxBatchSize ?? ""}
          onChange={(event) => set("maxBatchSize", event.target.value)}
        />
        <label htmlFor="serving-wait">rows, wait at most</label>
        <input
          id="serving-wait"
          className="field h-8 w-20 text-dense"
          type="number"
          min={0}
          max={10_000}
          step="any"
          placeholder="0"
          value={value.maxWaitMs ?? ""}
          onChange={(event) => set("maxWaitMs", event.target.value)}
        />
        <span>ms for others.</span>
      </p>
      <p className="mt-1 text-dense text-muted">
        Requests that wait while the board is busy share its next call. Each gets its own rows.
      </p>
    </Question>
  );
}
