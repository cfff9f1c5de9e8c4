"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import { useLiveState, useLiveStream } from "@/components/live";
import { fetchLogPage } from "../api";
import { type LogSnapshot, LogStore } from "./log-store";

const refillMs = 2500;

export interface Log extends LogSnapshot {
  /** False until the first pages are here. */
  readonly filled: boolean;
  readonly error: unknown;
}

/**
 * The log of one attempt: pages first, then the tab's stream from the last line on. While the stream is away, or a line is missing
 * before one that is here, pages are asked for again. For another attempt, mount anew.
 */
export function useLog(buildId: string, attempt: number, running: boolean): Log {
  const stream = useLiveStream();
  const live = useLiveState() === "live";
  const [store] = useState(() => new LogStore());
  const [filled, setFilled] = useState(false);
  const [error, setError] = useState<unknown>(null);

  // Runs anew when the build ends or the stream comes and goes: each of them can leave lines behind.
  useEffect(() => {
    const controller = new AbortController();
    let busy = false;
    const fill = async () => {
      if (busy) return;
      busy = true;
      try {
        for (;;) {
          const page = await fetchLogPage(buildId, attempt, store.last + 1, controller.signal);
          store.add(page.lines);
          if (page.lines.length === 0 || store.last >= page.total) break;
        }
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
      onLines: (lines) => store.add(lines),
    });
  }, [stream, buildId, attempt, running, filled, store]);

  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getSnapshot);
  return { ...snapshot, filled, error };
}
