"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { type Prediction, predict, type Refusal, type Target } from "../request/predict";
import { type RequestGrid, sliceRows } from "../request/request-grid";
import { type PartResult, planParts, type RowPart, runParts } from "./run-parts";

/** Requests under way at a time, of many rows. */
export const parallel = 4;

/** Many rows in several requests, or one request several times. */
export interface ManyRun {
  readonly kind: "rows" | "repeat";
  /** The text that was sent. */
  readonly text: string;
  readonly labels: readonly (number | null)[] | null;
  readonly parts: readonly RowPart[];
  readonly results: readonly PartResult[];
  readonly running: boolean;
  readonly startedMs: number;
  readonly endedMs: number;
}

type Send = (part: RowPart, signal: AbortSignal) => Promise<Prediction | Refusal>;

/** Runs many requests, and shows what has been answered so far. */
export function useMany(target: Target) {
  const [run, setRun] = useState<ManyRun | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const start = useCallback(
    async (
      head: Pick<ManyRun, "kind" | "text" | "labels" | "parts">,
      { send, parallel }: { readonly send: Send; readonly parallel: number },
    ) => {
      abort.current?.abort();
      const controller = new AbortController();
      abort.current = controller;
      const startedMs = performance.now();
      const results: PartResult[] = [];
      const tell = (running: boolean) =>
        setRun({
          ...head,
          results: [...results],
          running,
          startedMs,
          endedMs: performance.now(),
        });
      tell(true);
      let toldMs = startedMs;
      await runParts(head.parts, send, {
        parallel,
        signal: controller.signal,
        onResult: (result) => {
          results.push(result);
          // Ten times a second is as often as anybody reads.
          if (performance.now() - toldMs < 100) return;
          toldMs = performance.now();
          if (abort.current === controller) tell(true);
        },
      });
      if (abort.current === controller) tell(false);
    },
    [],
  );
  const sendRows = (
    grid: RequestGrid,
    labels: ManyRun["labels"],
    rowsPerRequest: number,
  ): Promise<void> => {
    const { text } = grid.document;
    const parts = planParts(grid.rows, rowsPerRequest);
    const send: Send = (part, signal) =>
      predict(target, sliceRows(grid, part.first, part.count), signal);
    return start({ kind: "rows", text, labels, parts }, { send, parallel });
  };
  const repeat = (text: string, times: number): Promise<void> => {
    const parts = planParts(times, 1);
    const send: Send = (_, signal) => predict(target, text, signal);
    return start({ kind: "repeat", text, labels: null, parts }, { send, parallel: 1 });
  };
  const stop = useCallback(() => abort.current?.abort(), []);
  return { run, sendRows, repeat, stop };
}
