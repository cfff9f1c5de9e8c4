import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { Rows } from "./folds";

/** Height of a row of the log, in pixels. */
export const rowPx = 20;

export interface Scroller {
  readonly element: RefObject<HTMLDivElement | null>;
  /** Which rows are mounted, and where. */
  readonly virtual: Virtualizer<HTMLDivElement, Element>;
  /** Brings line `n` into the upper third, once it has a row. */
  jumpTo(n: number): void;
  toStart(): void;
  toEnd(): void;
}

/** The scrolled part of the log, of which only visible rows are mounted. */
export function useScroller(rows: Rows): Scroller {
  const element = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.count,
    getScrollElement: () => element.current,
    estimateSize: () => rowPx,
    overscan: 24,
  });

  const [jump, setJump] = useState<number | null>(null);
  useEffect(() => {
    if (jump === null || !element.current) return;
    const index = rows.indexOf(jump);
    if (index >= 0) {
      const third = Math.floor(element.current.clientHeight / 3 / rowPx);
      virtual.scrollToIndex(Math.max(0, index - third), { align: "start" });
    }
    setJump(null);
  }, [jump, rows, virtual]);

  return {
    element,
    virtual,
    jumpTo: setJump,
    toStart: () => virtual.scrollToIndex(0),
    toEnd: () => {
      if (rows.count > 0) virtual.scrollToIndex(rows.count - 1, { align: "end" });
    },
  };
}
