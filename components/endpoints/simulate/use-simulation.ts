"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { Trace } from "@/simulator/run";
import type { Ask, Progress, Tell, VectorsProgress } from "./messages";
import { fromProblemData, Problem } from "./problem";

/** What the page knows of its simulation. */
export interface SimulationView {
  readonly phase: "absent" | "loading" | "ready";
  readonly receivedBytes: number;
  readonly cells: number;
  readonly progress: Progress | null;
  readonly trace: Trace | null;
  readonly vectors: VectorsProgress | null;
  /** What is being worked on. */
  readonly busy: Ask["kind"] | null;
  readonly failure: { readonly asked: Ask["kind"]; readonly error: Error } | null;
  readonly dump: Blob | null;
}

const nothing: SimulationView = {
  phase: "absent",
  receivedBytes: 0,
  cells: 0,
  progress: null,
  trace: null,
  vectors: null,
  busy: null,
  failure: null,
  dump: null,
};

/** A worker that runs a design, from the first thing it is asked until the component is gone. */
export function useSimulation(): {
  readonly view: SimulationView;
  readonly ask: (ask: Ask) => void;
} {
  const worker = useRef<Worker | null>(null);
  const [view, setView] = useState(nothing);
  useEffect(
    () => () => {
      worker.current?.terminate();
      worker.current = null;
    },
    [],
  );
  const ask = useCallback((next: Ask) => {
    if (!worker.current) {
      worker.current = new Worker(new URL("./simulation.worker.ts", import.meta.url));
      worker.current.onmessage = ({ data }: MessageEvent<Tell>) =>
        setView((before) => hear(before, data));
      worker.current.onerror = () => {
        const error = new Problem("notStarted");
        setView((before) => ({ ...before, busy: null, failure: { asked: "load", error } }));
      };
    }
    if (next.kind !== "stop") setView((before) => expect(before, next));
    worker.current.postMessage(next);
  }, []);
  return { view, ask };
}

function expect(view: SimulationView, ask: Exclude<Ask, { kind: "stop" }>): SimulationView {
  const busy = { ...view, busy: ask.kind, failure: null, dump: null };
  if (ask.kind === "load") return { ...nothing, phase: "loading", busy: "load" };
  return ask.kind === "vectors" ? { ...busy, vectors: null } : busy;
}

/** What the page knows after the worker said something. */
export function hear(view: SimulationView, told: Tell): SimulationView {
  switch (told.kind) {
    case "download":
      return { ...view, receivedBytes: told.receivedBytes };
    case "loaded":
      return {
        ...view,
        phase: "ready",
        cells: told.cells,
        busy: told.ended ? null : "advance",
      };
    case "progress":
      return {
        ...view,
        progress: told.progress,
        trace: told.trace ?? view.trace,
        busy: told.ended ? null : view.busy,
      };
    case "vectors":
      return { ...view, vectors: told.progress, busy: told.ended ? null : "vectors" };
    case "dump":
      return { ...view, dump: told.dump, busy: null };
    case "failed":
      return {
        ...view,
        phase: view.phase === "loading" ? "absent" : view.phase,
        busy: null,
        failure: { asked: told.asked, error: fromProblemData(told.error) },
      };
  }
}
