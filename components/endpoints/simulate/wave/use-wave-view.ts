import { type RefObject, useEffect, useMemo, useState } from "react";
import { useWidth } from "@/components/ui";
import type { Trace } from "@/simulator/run";
import { nextTransfer, transfersOf } from "./transfers";
import { cycleAt, pan, reveal, showAll, type WaveSize, type WaveView, zoom } from "./view";

/** The part of a trace that is looked at, the cursor in it, and what moves both. */
export function useWaveView(trace: Trace, frame: RefObject<HTMLDivElement | null>) {
  const [chosen, setChosen] = useState<WaveView | null>(null);
  const [cursor, setCursor] = useState(Math.max(0, trace.length - 1));
  const [seen, setSeen] = useState(trace);
  const width = useWidth(frame);
  const sides = useMemo(() => [transfersOf(trace, "in"), transfersOf(trace, "out")], [trace]);
  const size: WaveSize = { length: trace.length, width };
  const view = chosen ?? showAll(size);

  // A new trace puts the cursor at its end, where the design stands now.
  if (seen !== trace) {
    const end = Math.max(0, trace.length - 1);
    setSeen(trace);
    setCursor(end);
    if (chosen) setChosen(trace.length < seen.length ? null : reveal(chosen, end, size));
  }

  useWheel(frame, (event, atPx) => {
    const across = event.shiftKey ? event.deltaY : event.deltaX;
    if (!event.ctrlKey && Math.abs(across) <= Math.abs(event.deltaY) && !event.shiftKey) return;
    event.preventDefault();
    setChosen((now) => {
      const from = now ?? showAll(size);
      return event.ctrlKey
        ? zoom(from, 2 ** (event.deltaY / 200), atPx, size)
        : pan(from, across, size);
    });
  });

  const moveTo = (cycle: number) => {
    const next = Math.min(trace.length - 1, Math.max(0, cycle));
    setCursor(next);
    if (chosen) setChosen(reveal(chosen, next, size));
  };

  return {
    /** When bytes go in, and when they come out. */
    sides,
    size,
    view,
    cursor,
    moveTo,
    /** To the next byte that passes, or the one before. */
    jump: (direction: 1 | -1) =>
      moveTo(nextTransfer(sides, cursor, direction, trace.length) ?? cursor),
    /** Nearer (factor below 1) or farther, around the cursor where that is seen. */
    zoomBy: (factor: number) => {
      const at = (cursor + 0.5 - view.from) / view.cyclesPerPixel;
      setChosen(zoom(view, factor, at >= 0 && at <= width ? at : width / 2, size));
    },
    panFrom: (start: WaveView, byPx: number) => setChosen(pan(start, byPx, size)),
    pick: (atPx: number) => setCursor(cycleAt(view, atPx, size)),
    fit: () => setChosen(null),
  };
}

export type WaveControl = ReturnType<typeof useWaveView>;

/** Hears the wheel over an element, with the pixel it is over; what hears it may keep the page from scrolling. */
function useWheel(
  frame: RefObject<HTMLDivElement | null>,
  onWheel: (event: WheelEvent, atPx: number) => void,
): void {
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const hear = (event: WheelEvent) =>
      onWheel(event, event.clientX - element.getBoundingClientRect().left);
    element.addEventListener("wheel", hear, { passive: false });
    return () => element.removeEventListener("wheel", hear);
  });
}
