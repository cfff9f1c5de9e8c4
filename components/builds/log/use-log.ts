"use client";

import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useLiveState, useLiveStream } from "@/components/live";
import type { LogLine } from "@/lib/common/contract";
import { fetchLogOutline, fetchLogPage } from "../api";
import { chunkLines, type LogSnapshot, LogStore, type Missing } from "./log-store";

const refillMs = 2500;

export interface Log extends LogSnapshot {
  /** False until the outline is here. */
  readonly filled: boolean;
  readonly error: unknown;
  /** A line that is here; undefined while it is not. */
  lineAt(n: number): LogLine | undefined;
  /** Has lines asked for that are looked at. */
  want(first: number, last: number): void;
}

/**
 * The log of one attempt: its outline first, then the lines that are looked at, chunk by chunk, and the tab's stream from the last line
 * on. While the stream is away, or a line is missing before one that is here, the outline is asked for again. For another attempt,
 * mount anew.
 */
export function useLog(buildId: string, attempt: number, running: boolean): Log {
  const stream = useLiveStream();
  const live = useLiveState() === "live";
  const [store] = useState(() => new LogStore());
  const [filled, setFilled] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const want = useChunks(store, { buildId, attempt, onError: setError });

  // Runs anew when the build ends or the stream comes and goes: each of them can leave lines behind.
  useEffect(() => {
    const controller = new AbortController();
    let busy = false;
    const fill = async () => {
      if (busy) return;
      busy = true;
      try {
        store.setOutline(await fetchLogOutline(buildId, attempt, controller.signal));
        setFilled(true);
        setError(null);
      } catch (failure) {
        if (!controller.signal.aborted) setError(failure);
      } finally {
        busy = false;
      }
    };
    void fill();
    const timer = setInterval(() => {
      if ((running && !live) || store.hasGap) void fill();
    }, refillMs);
    return () => {
      controller.abort();
      clearInterval(timer);
    };
  }, [buildId, attempt, store, running, live]);

  useEffect(() => {
    if (!running || !filled) return;
    return stream.watchLog({
      buildId,
      attempt,
      after: () => store.last,
      onLines: (lines) => store.append(lines),
    });
  }, [stream, buildId, attempt, running, filled, store]);

  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getSnapshot);
  return { ...snapshot, filled, error, lineAt: (n) => store.lineAt(n), want };
}

interface ChunksOf {
  readonly buildId: string;
  readonly attempt: number;
  readonly onError: (error: unknown) => void;
}

/** Asks for lines that are looked at, each chunk once at a time. The first comes with the outline: most logs begin there. */
function useChunks(store: LogStore, { buildId, attempt, onError }: ChunksOf) {
  const asked = useRef(new Set<number>());
  const ask = useCallback(
    async ({ from, limit }: Missing) => {
      if (asked.current.has(from)) return;
      asked.current.add(from);
      try {
        const { lines } = await fetchLogPage(buildId, { attempt, from, limit });
        store.hold(lines);
        onError(null);
      } catch (failure) {
        onError(failure);
      } finally {
        asked.current.delete(from);
      }
    },
    [store, buildId, attempt, onError],
  );
  useEffect(() => void ask({ from: 1, limit: chunkLines }), [ask]);
  return useCallback(
    (first: number, last: number) => {
      for (const missing of store.missing(first, last)) void ask(missing);
    },
    [store, ask],
  );
}
