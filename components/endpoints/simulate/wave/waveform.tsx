"use client";

import { useMemo, useRef, useState } from "react";
import { ChoiceRow, formatCount, formatNs } from "@/components/ui";
import { type SignalTrace, type Trace, valueAt } from "@/simulator/run";
import { keyAction } from "./key-action";
import { type Radix, radixes, valueText } from "./radix";
import { isPort, orderSignals, type Transfers } from "./transfers";
import { useWaveView, type WaveControl } from "./use-wave-view";
import { WaveDrawing } from "./wave-drawing";

type Side = "in" | "out";

/** Ports over time: zoom, pan, a cursor with the values under it, the bytes that pass marked. */
export function Waveform({ trace, clockHz }: { trace: Trace; clockHz: number | null }) {
  const [radix, setRadix] = useState<Radix>("hex");
  const [inner, setInner] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const wave = useWaveView(trace, frame);
  const all = useMemo(() => orderSignals(trace), [trace]);
  const ports = useMemo(() => all.filter(isPort), [all]);
  const signals = inner ? all : ports;
  const { cursor } = wave;
  const texts = signals.map((signal) => valueText(valueAt(signal, cursor), signal, radix));
  const passing = passingAt(cursor, wave.sides);

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = keyAction(event, wave);
    if (!action) return;
    event.preventDefault();
    action();
  };

  return (
    <section aria-label="Waveform" className="mt-6">
      <div className="mb-2 flex flex-wrap items-center gap-x-5 gap-y-2">
        <CursorLine cursor={cursor} clockHz={clockHz} passing={passing} />
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
        <ZoomButtons wave={wave} />
      </div>
      <WaveDrawing
        frame={frame}
        signals={signals}
        texts={texts}
        radix={radix}
        wave={wave}
        spoken={spokenAt(cursor, signals, texts, passing)}
        onKeyDown={onKeyDown}
      />
      <p id="wave-keys" className="mt-1 text-label text-muted">
        Drag to move, Ctrl and wheel to zoom. Keys: <kbd>←</kbd> <kbd>→</kbd> one cycle,{" "}
        <kbd>Shift</kbd> with them to the next byte, <kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd> zoom,{" "}
        <kbd>Page</kbd> move. Coloured: a byte passes, valid and ready are both 1.
      </p>
    </section>
  );
}

function CursorLine({
  cursor,
  clockHz,
  passing,
}: {
  cursor: number;
  clockHz: number | null;
  passing: readonly Side[];
}) {
  return (
    <p className="text-dense">
      Cycle <b>{formatCount(cursor)}</b>
      {clockHz ? <span className="text-muted"> · {formatNs((cursor / clockHz) * 1e9)}</span> : null}
      {passing.map((side) => (
        <span key={side} className={side === "in" ? "text-accent" : "text-ok"}>
          {" "}
          · byte {side}
        </span>
      ))}
    </p>
  );
}

function ZoomButtons({ wave: { fit, zoomBy } }: { wave: WaveControl }) {
  return (
    <span className="flex gap-1">
      <button type="button" className="btn btn-dense" onClick={fit}>
        Fit
      </button>
      <button type="button" className="btn btn-dense" onClick={() => zoomBy(0.5)}>
        Zoom in
      </button>
      <button type="button" className="btn btn-dense" onClick={() => zoomBy(2)}>
        Zoom out
      </button>
    </span>
  );
}

/** The sides that a byte passes in a cycle. */
const passingAt = (cycle: number, sides: readonly (Transfers | null)[]): readonly Side[] =>
  (["in", "out"] as const).filter(
    (_, index) => sides[index] && valueAt({ name: "", width: 1, ...sides[index] }, cycle) === 1,
  );

/** What a screen reader says of a cycle. */
const spokenAt = (
  cycle: number,
  signals: readonly SignalTrace[],
  texts: readonly string[],
  passing: readonly Side[],
): string =>
  [
    `cycle ${cycle}`,
    ...signals.map(({ name }, index) => `${name} ${texts[index]}`),
    ...passing.map((side) => (side === "in" ? "a byte goes in" : "a byte comes out")),
  ].join(", ");
