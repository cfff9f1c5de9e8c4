"use client";

import { useEffect, useMemo, useRef, useState } from "react";
import { ChoiceRow, formatCount, formatNs } from "@/components/ui";
import { type Trace, valueAt } from "@/simulator/run";
import { type Radix, radixes, valueText } from "./radix";
import { isPort, nextTransfer, orderSignals, transfersOf } from "./rows";
import { cycleAt, pan, reveal, showAll, type WaveView, zoom } from "./view";
import { WaveDrawing } from "./wave-drawing";

/** Ports over time: zoom, pan, a cursor with the values under it, the bytes that pass marked. */
export function Waveform({ trace, clockHz }: { trace: Trace; clockHz: number | null }) {
  const [radix, setRadix] = useState<Radix>("hex");
  const [chosen, setChosen] = useState<WaveView | null>(null);
  const [inner, setInner] = useState(false);
  const [cursor, setCursor] = useState(Math.max(0, trace.length - 1));
  const [width, setWidth] = useState(0);
  const [seen, setSeen] = useState(trace);
  const frame = useRef<HTMLDivElement>(null);

  const all = useMemo(() => orderSignals(trace), [trace]);
  const ports = useMemo(() => all.filter(isPort), [all]);
  const signals = inner ? all : ports;
  const sides = useMemo(() => [transfersOf(trace, "in"), transfersOf(trace, "out")], [trace]);
  const size = { length: trace.length, width };
  const view = chosen ?? showAll(size);

  // A new trace puts the cursor at its end, where the design stands now.
  if (seen !== trace) {
    const end = Math.max(0, trace.length - 1);
    setSeen(trace);
    setCursor(end);
    if (chosen) setChosen(trace.length < seen.length ? null : reveal(chosen, end, size));
  }

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      const across = event.shiftKey ? event.deltaY : event.deltaX;
      if (!event.ctrlKey && Math.abs(across) <= Math.abs(event.deltaY) && !event.shiftKey) return;
      event.preventDefault();
      const { left } = element.getBoundingClientRect();
      setChosen((now) => {
        const from = now ?? showAll(size);
        return event.ctrlKey
          ? zoom(from, 2 ** (event.deltaY / 200), event.clientX - left, size)
          : pan(from, across, size);
      });
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  });

  const moveTo = (cycle: number) => {
    const next = Math.min(trace.length - 1, Math.max(0, cycle));
    setCursor(next);
    if (chosen) setChosen(reveal(chosen, next, size));
  };
  const zoomBy = (factor: number) => {
    const at = (cursor + 0.5 - view.from) / view.cyclesPerPixel;
    setChosen(zoom(view, factor, at >= 0 && at <= width ? at : width / 2, size));
  };
  const jump = (direction: 1 | -1) =>
    moveTo(nextTransfer(sides, cursor, direction, trace.length) ?? cursor);

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = new Map<string, () => void>([
      ["ArrowRight", () => (event.shiftKey ? jump(1) : moveTo(cursor + 1))],
      ["ArrowLeft", () => (event.shiftKey ? jump(-1) : moveTo(cursor - 1))],
      ["ArrowUp", () => moveTo(cursor + 1)],
      ["ArrowDown", () => moveTo(cursor - 1)],
      ["PageDown", () => setChosen(pan(view, width * 0.75, size))],
      ["PageUp", () => setChosen(pan(view, width * -0.75, size))],
      ["Home", () => moveTo(0)],
      ["End", () => moveTo(trace.length - 1)],
      ["+", () => zoomBy(0.5)],
      ["=", () => zoomBy(0.5)],
      ["-", () => zoomBy(2)],
      ["0", () => setChosen(null)],
    ]);
    const action = actions.get(event.key);
    if (!action) return;
    event.preventDefault();
    action();
  };

  const texts = signals.map((signal) => valueText(valueAt(signal, cursor), signal, radix));
  const passing = (["in", "out"] as const).filter(
    (_, index) => sides[index] && valueAt({ name: "", width: 1, ...sides[index] }, cursor) === 1,
  );
  const spoken = [
    `cycle ${cursor}`,
    ...signals.map(({ name }, index) => `${name} ${texts[index]}`),
    ...passing.map((side) => (side === "in" ? "a byte goes in" : "a byte comes out")),
  ].join(", ");

  return (
    <section aria-label="Waveform" className="mt-6">
      <div className="mb-2 flex flex-wrap items-center gap-x-5 gap-y-2">
        <p className="text-dense">
          Cycle <b>{formatCount(cursor)}</b>
          {clockHz ? (
            <span className="text-muted"> · {formatNs((cursor / clockHz) * 1e9)}</span>
          ) : null}
          {passing.map((side) => (
            <span key={side} className={side === "in" ? "text-accent" : "text-ok"}>
              {" "}
              · byte {side}
            </span>
          ))}
        </p>
        <span className="flex-1" />
        {all.length > ports.length ? (
          <label className="flex items-center gap-2 text-dense">
            <input
              type="checkbox"
              className="accent-accent"
              checked={inner}
              onChange={(event) => setInner(event.target.checked)}
            />
            Inner values
          </label>
        ) : null}
        <ChoiceRow label="Values" choices={radixes} value={radix} onChoose={setRadix} />
        <span className="flex gap-1">
          <button type="button" className="btn btn-dense" onClick={() => setChosen(null)}>
            Fit
          </button>
          <button type="button" className="btn btn-dense" onClick={() => zoomBy(0.5)}>
            Zoom in
          </button>
          <button type="button" className="btn btn-dense" onClick={() => zoomBy(2)}>
            Zoom out
          </button>
        </span>
      </div>
      <WaveDrawing
        frame={frame}
        signals={signals}
        sides={sides}
        texts={texts}
        radix={radix}
        view={view}
        size={size}
        cursor={cursor}
        spoken={spoken}
        onKeyDown={onKeyDown}
        onPan={(start, byPx) => setChosen(pan(start, byPx, size))}
        onPick={(atPx) => setCursor(cycleAt(view, atPx, size))}
      />
      <p id="wave-keys" className="mt-1 text-label text-muted">
        Drag to move, Ctrl and wheel to zoom. Keys: <kbd>←</kbd> <kbd>→</kbd> one cycle,{" "}
        <kbd>Shift</kbd> with them to the next byte, <kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd> zoom,{" "}
        <kbd>Page</kbd> move. Coloured: a byte passes, valid and ready are both 1.
      </p>
    </section>
  );
}
