"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { formatDigits } from "@/components/ui";
import type { Picture } from "./picture";

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/**
 * A row drawn as the picture that it is. A pointer paints; so do the arrow keys with Space, or a digit from 0 to 9 for a shade.
 * The fields below hold the same values.
 */
export function PicturePad({
  picture: { side, low, high },
  values,
  onPaint,
}: {
  picture: Picture;
  values: readonly string[];
  /** New values by their column. */
  onPaint: (painted: ReadonlyMap<number, string>) => void;
}) {
  const t = useTranslations("predictions");
  const [at, setAt] = useState({ x: 0, y: 0 });
  const [isErasing, setErasing] = useState(false);
  const shadeOf = (value: string) => {
    const share = (Number(value) - low) / (high - low);
    return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
  };
  const place = at.y * side + at.x;
  const paint = (x: number, y: number, share: number) => {
    const value = Number((low + share * (high - low)).toPrecision(4));
    onPaint(new Map([[y * side + x, String(value)]]));
  };
  const paintAt = (event: PointerEvent<SVGSVGElement>) => {
    if (event.buttons === 0) return;
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top].map((from) =>
      Math.floor((from / box.width) * side),
    );
    if (x === undefined || y === undefined || x < 0 || y < 0 || x >= side || y >= side) return;
    setAt({ x, y });
    paint(x, y, isErasing ? 0 : 1);
  };
  const press = (event: KeyboardEvent) => {
    const [dx, dy] = steps[event.key] ?? [0, 0];
    const digit = /^\d$/.test(event.key) ? Number(event.key) / 9 : null;
    if (dx === 0 && dy === 0 && event.key !== " " && digit === null) return;
    event.preventDefault();
    const within = (value: number) => Math.min(side - 1, Math.max(0, value));
    if (digit !== null) paint(at.x, at.y, digit);
    else if (event.key === " ") paint(at.x, at.y, isErasing ? 0 : 1);
    else setAt({ x: within(at.x + dx), y: within(at.y + dy) });
  };
  return (
    <div className="mb-4 flex flex-wrap items-start gap-x-4 gap-y-2">
      <svg
        role="application"
        aria-roledescription={t("picturePad")}
        aria-label={t("pictureLabel", {
          row: at.y + 1,
          column: at.x + 1,
          value: values[place] ?? "",
        })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is drawn on by keyboard, too
        tabIndex={0}
        viewBox={`0 0 ${side} ${side}`}
        className="w-48 max-w-full cursor-crosshair touch-none rounded-control border border-line-strong"
        shapeRendering="crispEdges"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          paintAt(event);
        }}
        onPointerMove={paintAt}
        onKeyDown={press}
      >
        <rect width={side} height={side} fill="var(--sunken)" />
        {values.slice(0, side * side).map((value, index) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a pixel is its place
            key={index}
            x={index % side}
            y={Math.floor(index / side)}
            width={1}
            height={1}
            fill="var(--text)"
            opacity={shadeOf(value)}
          />
        ))}
        <rect
          x={at.x + 0.06}
          y={at.y + 0.06}
          width={0.88}
          height={0.88}
          fill="none"
          stroke="var(--accent)"
          strokeWidth={0.12}
        />
      </svg>
      <div className="flex min-w-40 flex-1 flex-col items-start gap-2 text-dense">
        <p aria-live="polite">
          {t("pictureLabel", { row: at.y + 1, column: at.x + 1, value: values[place] ?? "" })}
        </p>
        <p className="text-muted">{t("pictureHint")}</p>
        <label className="flex min-h-6 items-center gap-2">
          <input
            type="checkbox"
            className="size-4"
            checked={isErasing}
            onChange={(event) => setErasing(event.target.checked)}
          />
          {t("erase", { value: formatDigits(low) })}
        </label>
        <button
          type="button"
          className="btn btn-dense"
          onClick={() => onPaint(new Map(values.map((_, index) => [index, String(low)])))}
        >
          {t("clearPicture")}
        </button>
      </div>
    </div>
  );
}
