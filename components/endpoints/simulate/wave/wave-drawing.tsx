import { type RefObject, useRef } from "react";
import type { SignalTrace } from "@/simulator/run";
import { type Radix, valueText } from "./radix";
import type { Transfers } from "./rows";
import { segmentsOf } from "./segments";
import { BitRow, BusRow, clockSegments, rowPx } from "./signal-row";
import { pixelOf, ticksOf, type WaveSize, type WaveView } from "./view";

const axisPx = 20;

/** Names and values at the left, the signals over time at the right. */
export function WaveDrawing({
  frame,
  signals,
  sides,
  texts,
  radix,
  view,
  size,
  cursor,
  spoken,
  onKeyDown,
  onPan,
  onPick,
}: {
  frame: RefObject<HTMLDivElement | null>;
  signals: readonly SignalTrace[];
  /** When bytes go in, and when they come out. */
  sides: readonly (Transfers | null)[];
  /** Values at the cursor. */
  texts: readonly string[];
  radix: Radix;
  view: WaveView;
  size: WaveSize;
  cursor: number;
  spoken: string;
  onKeyDown: (event: React.KeyboardEvent) => void;
  onPan: (start: WaveView, byPx: number) => void;
  onPick: (atPx: number) => void;
}) {
  const drag = useRef<{ x: number; view: WaveView; moved: boolean } | null>(null);
  const height = axisPx + (signals.length + 1) * rowPx;
  const yOf = (row: number) => axisPx + (row + 1) * rowPx;
  const endX = Math.min(size.width, pixelOf(view, size.length));
  const cursorX = pixelOf(view, cursor);
  const cursorWidth = Math.max(1.5, 1 / view.cyclesPerPixel);

  return (
    <div className="well flex overflow-hidden">
      <ol
        aria-label="Values at the cursor"
        className="flex-none pl-3"
        style={{ paddingTop: axisPx }}
      >
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
      <div
        ref={frame}
        role="slider"
        tabIndex={0}
        aria-label="Cycle"
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, size.length - 1)}
        aria-valuenow={cursor}
        aria-valuetext={spoken}
        aria-describedby="wave-keys"
        className="min-w-0 flex-1 cursor-crosshair touch-pan-y select-none"
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { x: event.clientX, view, moved: false };
        }}
        onPointerMove={(event) => {
          const start = drag.current;
          if (!start) return;
          const byPx = start.x - event.clientX;
          if (Math.abs(byPx) < 4 && !start.moved) return;
          start.moved = true;
          onPan(start.view, byPx);
        }}
        onPointerUp={(event) => {
          if (drag.current && !drag.current.moved) {
            onPick(event.clientX - event.currentTarget.getBoundingClientRect().left);
          }
          drag.current = null;
        }}
        onPointerCancel={() => {
          drag.current = null;
        }}
      >
        <svg width={size.width} height={height} aria-hidden="true" className="block">
          {ticksOf(view, size).map((cycle) => {
            const x = pixelOf(view, cycle);
            return (
              <g key={cycle} transform={`translate(${x} 0)`}>
                <line y1={axisPx - 4} y2={height} className="stroke-line" />
                <text x="3" y="12" className="fill-muted text-label">
                  {cycle}
                </text>
              </g>
            );
          })}
          {sides.map((side, index) => {
            if (!side) return null;
            const name = index === 0 ? "in" : "out";
            const first = signals.findIndex((signal) => signal.name.startsWith(`${name}_`));
            const count = signals.filter((signal) => signal.name.startsWith(`${name}_`)).length;
            return segmentsOf(side, view, size).map(({ x, endX: end, value }) =>
              value === 0 ? null : (
                <rect
                  key={`${name}${x}`}
                  data-transfer={name}
                  x={x}
                  width={Math.max(1, end - x)}
                  y={yOf(first) + 2}
                  height={count * rowPx - 4}
                  className={index === 0 ? "fill-accent" : "fill-ok"}
                  opacity={value === null ? 0.14 : 0.22}
                />
              ),
            );
          })}
          <rect
            x={cursorX}
            width={cursorWidth}
            y={0}
            height={height}
            className="fill-text"
            opacity={cursorWidth > 3 ? 0.09 : 0.6}
          />
          <line
            x1={cursorX}
            x2={cursorX}
            y1={0}
            y2={height}
            className="stroke-text"
            opacity={0.7}
          />
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
        </svg>
      </div>
    </div>
  );
}
