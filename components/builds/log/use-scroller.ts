import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { FoldRows } from "./folds";

/**
 * Rows that are scrolled through at a time. Browsers draw nothing beyond some 17 million pixels, and measuring every row of a long log
 * at each new line would take longer than a frame; so the scrolled part is a window that moves along with the reader.
 */
const windowRows = 40_000;
const halfWindow = windowRows / 2;
/** So near to an end of the window, in rows, it moves. */
const nearRows = 4000;

export interface Scroller {
  readonly element: RefObject<HTMLDivElement | null>;
  /** Which rows are mounted, and where. */
  readonly virtual: Virtualizer<HTMLDivElement, Element>;
  /** The first row of the window: mounted rows are counted from it. */
  readonly base: number;
  /** Whether the window is smaller than the log. */
  readonly isPart: boolean;
  /** Height of a row that is not wrapped. */
  readonly rowPx: number;
  /** Whether the last row of the log is in the window. */
  readonly hasEnd: boolean;
  /** Brings line `n` into the upper third, once it has a row. */
  jumpTo(n: number): void;
  jumpToRow(index: number): void;
  toStart(): void;
  toEnd(): void;
  /** Of the mounted rows, counted from `base`, the one at the top. */
  topIndex(): number | undefined;
  /** Moves the window where its end comes near. */
  onScroll(): void;
}

type Jump =
  | { readonly to: "line"; readonly n: number }
  | { readonly to: "row"; readonly index: number }
  | { readonly to: "end" };

/** The scrolled part of the log, of which only visible rows are mounted; each is `rowPx` high, or a multiple where it is wrapped. */
export function useScroller(rows: FoldRows, rowPx: number): Scroller {
  const element = useRef<HTMLDivElement>(null);
  const { base, setBase, place } = useWindow(rows.count);
  const count = Math.min(windowRows, rows.count - base);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => element.current,
    estimateSize: () => rowPx,
    // Heights of wrapped lines stay with their row when the window moves.
    getItemKey: useCallback((index: number) => base + index, [base]),
    overscan: 24,
  });

  const measuredPx = useRef(rowPx);
  // What was measured holds for one size of the text; the row at the top stays there.
  useLayoutEffect(() => {
    const factor = rowPx / measuredPx.current;
    if (factor === 1) return;
    measuredPx.current = rowPx;
    const offset = (virtual.scrollOffset ?? 0) * factor;
    virtual.measure();
    virtual.scrollToOffset(offset);
  }, [rowPx, virtual]);

  // The row that was at the top stays where it is when the window moves.
  useLayoutEffect(() => {
    const kept = place.current;
    if (!kept) return;
    place.current = null;
    const [offset] = virtual.getOffsetForIndex(kept.row - base, "start") ?? [
      (kept.row - base) * rowPx,
    ];
    virtual.scrollToOffset(offset + kept.withinPx);
  }, [base, place, rowPx, virtual]);

  const onScroll = () => {
    const scrolledPx = element.current?.scrollTop ?? 0;
    const top = virtual.getVirtualItemForOffset(scrolledPx);
    if (!top) return;
    const isNearEnd = top.index > count - nearRows && base + count < rows.count;
    const isNearStart = top.index < nearRows && base > 0;
    if (!isNearEnd && !isNearStart) return;
    place.current = {
      row: base + top.index,
      withinPx: scrolledPx - top.start,
    };
    setBase(base + (isNearEnd ? halfWindow : -halfWindow));
  };
  const setJump = useJump({ rows, base, setBase, count, virtual, element, rowPx });
  return {
    ...{ element, virtual, base, rowPx, onScroll },
    topIndex: () => virtual.getVirtualItemForOffset(element.current?.scrollTop ?? 0)?.index,
    isPart: rows.count > windowRows,
    hasEnd: base + count >= rows.count,
    jumpTo: (n) => setJump({ to: "line", n }),
    jumpToRow: (index) => setJump({ to: "row", index }),
    toStart: () => setJump({ to: "row", index: 0 }),
    toEnd: () => setJump({ to: "end" }),
  };
}

/** Where the window begins, always so that it holds as many rows as it can. */
function useWindow(total: number) {
  const [wanted, setBase] = useState(0);
  const place = useRef<{ row: number; withinPx: number } | null>(null);
  const base = Math.max(0, Math.min(wanted, total - windowRows));
  return { base, setBase, place };
}

interface JumpContext {
  readonly rows: FoldRows;
  readonly base: number;
  readonly setBase: (base: number) => void;
  readonly count: number;
  readonly virtual: Virtualizer<HTMLDivElement, Element>;
  readonly element: RefObject<HTMLDivElement | null>;
  readonly rowPx: number;
}

/** Goes to a line, a row or the end, after the window has moved there where it must. */
function useJump({ rows, base, setBase, count, virtual, element, rowPx }: JumpContext) {
  const [jump, setJump] = useState<Jump | null>(null);
  useEffect(() => {
    if (jump === null || !element.current) return;
    const index =
      jump.to === "line" ? rows.indexOf(jump.n) : jump.to === "row" ? jump.index : rows.count - 1;
    if (index < 0) return setJump(null);
    const isInside = index >= base && index < base + count;
    const next = Math.max(0, Math.min(index - halfWindow, rows.count - windowRows));
    if (!isInside && next !== base) return setBase(next);
    const third = Math.floor(element.current.clientHeight / 3 / rowPx);
    if (jump.to === "end") virtual.scrollToIndex(index - base, { align: "end" });
    else {
      const top = jump.to === "line" ? index - third : index;
      virtual.scrollToIndex(Math.max(0, top - base), { align: "start" });
    }
    setJump(null);
  }, [jump, rows, base, count, setBase, virtual, element, rowPx]);
  return setJump;
}
