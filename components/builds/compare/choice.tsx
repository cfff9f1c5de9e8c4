"use client";

import Link from "next/link";
import { useState } from "react";
import { modelTitle, shortId } from "@/components/ui";
import type { Build } from "@/lib/common/contract";
import { mostCompared } from "./compared";

/** Builds that are marked for comparing, in the order of marking. */
export interface Choice {
  readonly ids: readonly string[];
  toggle(id: string): void;
  clear(): void;
}

export function useChoice(): Choice {
  const [ids, setIds] = useState<readonly string[]>([]);
  return {
    ids,
    toggle: (id) =>
      setIds((before) =>
        before.includes(id) ? before.filter((each) => each !== id) : [...before, id],
      ),
    clear: () => setIds([]),
  };
}

/** Marks a build that succeeded; others have nothing to compare. */
export function ChoiceBox({ build, choice }: { build: Build; choice: Choice }) {
  if (build.state !== "succeeded") return null;
  const isChosen = choice.ids.includes(build.id);
  const name = build.endpointName ?? modelTitle(build.modelUrl);
  return (
    <label className="relative z-1 -m-1 flex size-6 items-center justify-center">
      <span className="sr-only">
        Compare {name}, build {shortId(build.id)}
      </span>
      <input
        type="checkbox"
        className="size-4 accent-accent"
        checked={isChosen}
        disabled={!isChosen && choice.ids.length >= mostCompared}
        onChange={() => choice.toggle(build.id)}
      />
    </label>
  );
}

/** Stays in sight while builds are marked: how many, and the way to their comparison. */
export function CompareBar({ choice: { ids, clear } }: { choice: Choice }) {
  if (ids.length === 0) return null;
  return (
    <section
      aria-label="Compare builds"
      className="sticky bottom-4 z-2 mt-4 flex flex-wrap items-center gap-3 rounded-float border border-line bg-surface px-4 py-2 text-dense shadow-[var(--float-shadow)] max-tablet:bottom-20"
    >
      <span aria-live="polite">
        {ids.length === 1
          ? "One build is marked; mark another."
          : `${ids.length} builds are marked${ids.length === mostCompared ? ", the most there can be" : ""}.`}
      </span>
      {ids.length > 1 ? (
        <Link className="btn btn-primary btn-dense" href={`/builds/compare?ids=${ids.join(",")}`}>
          Compare
        </Link>
      ) : null}
      <button type="button" className="btn btn-quiet btn-dense" onClick={clear}>
        Unmark
      </button>
    </section>
  );
}
