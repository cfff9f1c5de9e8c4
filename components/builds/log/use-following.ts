import { useEffect, useState } from "react";
import type { FoldRows } from "./folds";
import type { LogSnapshot } from "./log-store";
import type { Scroller } from "./use-scroller";

export interface Following {
  readonly on: boolean;
  /** Lines that came since it stopped. */
  readonly unseen: number;
  start(): void;
  stop(): void;
  /** Scrolled back to the end of a growing log, it goes on. */
  onScroll(): void;
  /** A person's own move ends it; the log growing must not. */
  onUserMove(event: { deltaY?: number }): void;
}

/** Keeps the end of the log in view while it grows, until somebody looks elsewhere. */
export function useFollowing(
  { outline: { lines } }: LogSnapshot,
  { rows, scroller, running }: { rows: FoldRows; scroller: Scroller; running: boolean },
): Following {
  const [on, setOn] = useState(true);
  const [readUpTo, setReadUpTo] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: lines and rows that are added are what makes it scroll again
  useEffect(() => {
    if (!on) return;
    setReadUpTo(lines);
    if (running) scroller.toEnd();
  }, [on, lines, rows.count, running]);

  return {
    on,
    unseen: Math.max(0, lines - readUpTo),
    start: () => {
      setOn(true);
      scroller.toEnd();
    },
    stop: () => setOn(false),
    onScroll: () => {
      if (!on && running && scroller.hasEnd && isAtEnd(scroller)) setOn(true);
    },
    onUserMove: ({ deltaY }) => {
      if (on && (deltaY === undefined || deltaY < 0)) setOn(false);
    },
  };
}

const isAtEnd = ({ element: { current: element }, rowPx }: Scroller) =>
  element !== null && element.scrollHeight - element.scrollTop - element.clientHeight < rowPx * 1.5;
