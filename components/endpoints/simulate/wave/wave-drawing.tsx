import { useTranslations } from "next-intl";
import { type RefObject, useRef } from "react";
import type { SignalTrace } from "@/simulator/run";
import { type Radix, valueText } from "./radix";
import { BitRow, BusRow, clockSegments, rowPx } from "./rows";
import { segmentsOf } from "./segments";
import type { Transfers } from "./transfers";
import type { WaveControl } from "./use-wave-view";
import { pixelOf, ticksOf, type WaveSize, type WaveView } from "./view";

const axisPx = 20;
const yOf = (row: number) => axisPx + (row + 1) * rowPx;

/** What is drawn of a trace, and where. */
interface Drawn {
  readonly signals: readonly SignalTrace[];
  readonly view: WaveView;
  readonly size: WaveSize;
}

/** Names and values at the left, the signals over time at the right. */
export function WaveDrawing({
  frame,
  signals,
  texts,
  radix,
  wave,
  spoken,
  onKeyDown,
}: {
  frame: RefObject<HTMLDivElement | null>;
  signals: readonly SignalTrace[];
  /** Values at the cursor. */
  texts: readonly string[];
  radix: Radix;
  wave: WaveControl;
  spoken: string;
  onKeyDown: (event: React.KeyboardEvent) => void;
}) {
  const t = useTranslations("simulate.wave");
  const { sides, view, size, cursor } = wave;
  const drag = useDrag(wave);
  const drawn = { signals, view, size };
  const height = axisPx + (signals.length + 1) * rowPx;
  return (
    <div className="well flex overflow-hidden">
      <Values signals={signals} texts={texts} />
      <div
        ref={frame}
        role="slider"
        tabIndex={0}
        aria-label={t("slider")}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, size.length - 1)}
        aria-valuenow={cursor}
        aria-valuetext={spoken}
        aria-describedby="wave-keys"
        className="min-w-0 flex-1 cursor-crosshair touch-pan-y select-none"
        onKeyDown={onKeyDown}
        {...drag}
      >
        <svg width={size.width} height={height} aria-hidden="true" className="block">
          <Axis view={view} size={size} height={height} />
          <PassingBytes drawn={drawn} sides={sides} />
          <Cursor view={view} cursor={cursor} height={height} />
          <Signals drawn={drawn} radix={radix} />
        </svg>
      </div>
    </div>
  );
}

/** Dragging moves the wave; a press that does not move puts the cursor there. */
function useDrag({ view, panFrom, pick }: WaveControl) {
  const drag = useRef<{ x: number; view: WaveView; moved: boolean } | null>(null);
  return {
    onPointerDown(event: React.PointerEvent) {
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { x: event.clientX, view, moved: false };
    },
    onPointerMove(event: React.PointerEvent) {
      const start = drag.current;
      if (!start) return;
      const byPx = start.x - event.clientX;
      if (Math.abs(byPx) < 4 && !start.moved) return;
      start.moved = true;
      panFrom(start.view, byPx);
    },
    onPointerUp(event: React.PointerEvent) {
      if (drag.current && !drag.current.moved) {
        pick(event.clientX - event.currentTarget.getBoundingClientRect().left);
      }
      drag.current = null;
    },
    onPointerCancel() {
      drag.current = null;
    },
  };
}

function Values({ signals, texts }: { signals: readonly SignalTrace[]; texts: readonly string[] }) {
  const t = useTranslations("simulate.wave");
  return (
    <ol aria-label={t("values")} className="flex-none pl-3" style={{ paddingTop: axisPx }}>
      {["clk", ...signals.map(({ name }) => name)].map((name, row) => (
        <li
          key={name}
          className="flex items-center gap-2 font-mono text-label"
          style={{ height: rowPx }}
        >
          <span className="w-[72px] flex-none truncate" title={name}>
            {name}
          </span>
          <span className="w-[68px] flex-none truncate pr-2 text-right text-copper">
            {row === 0 ? "" : texts[row - 1]}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Axis({ view, size, height }: { view: WaveView; size: WaveSize; height: number }) {
  return ticksOf(view, size).map((cycle) => (
    <g key={cycle} transform={`translate(${pixelOf(view, cycle)} 0)`}>
      <line y1={axisPx - 4} y2={height} className="stroke-line" />
      <text x="3" y="12" className="fill-muted text-label">
        {cycle}
      </text>
    </g>
  ));
}

/** The cycles in which a byte passes, behind the signals of that side. */
function PassingBytes({
  drawn: { signals, view, size },
  sides,
}: {
  drawn: Drawn;
  sides: readonly (Transfers | null)[];
}) {
  return sides.map((side, index) => {
    if (!side) return null;
    const name = index === 0 ? "in" : "out";
    const isOfSide = (signal: SignalTrace) => signal.name.startsWith(`${name}_`);
    const first = signals.findIndex(isOfSide);
    const count = signals.filter(isOfSide).length;
    return segmentsOf(side, view, size).map(({ x, endX, value }) =>
      value === 0 ? null : (
        <rect
          key={`${name}${x}`}
          data-transfer={name}
          x={x}
          width={Math.max(1, endX - x)}
          y={yOf(first) + 2}
          height={count * rowPx - 4}
          className={index === 0 ? "fill-accent" : "fill-ok"}
          opacity={value === null ? 0.14 : 0.22}
        />
      ),
    );
  });
}

function Cursor({ view, cursor, height }: { view: WaveView; cursor: number; height: number }) {
  const x = pixelOf(view, cursor);
  const width = Math.max(1.5, 1 / view.cyclesPerPixel);
  return (
    <>
      <rect
        x={x}
        width={width}
        y={0}
        height={height}
        className="fill-text"
        opacity={width > 3 ? 0.09 : 0.6}
      />
      <line x1={x} x2={x} y1={0} y2={height} className="stroke-text" opacity={0.7} />
    </>
  );
}

/** The clock, and below it a row for each signal. */
function Signals({ drawn: { signals, view, size }, radix }: { drawn: Drawn; radix: Radix }) {
  const endX = Math.min(size.width, pixelOf(view, size.length));
  return (
    <>
      <BitRow segments={clockSegments(view.from, view.cyclesPerPixel, endX)} y={axisPx} />
      {signals.map((signal, row) => {
        const segments = segmentsOf(signal, view, size);
        return signal.width === 1 ? (
          <BitRow key={signal.name} segments={segments} y={yOf(row)} />
        ) : (
          <BusRow
            key={signal.name}
            segments={segments}
            y={yOf(row)}
            textOf={(value) => valueText(value, signal, radix)}
          />
        );
      })}
    </>
  );
}
