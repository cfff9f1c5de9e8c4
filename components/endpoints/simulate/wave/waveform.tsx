"use client";

import { useTranslations } from "next-intl";
import { useMemo, useRef, useState } from "react";
import { ChoiceRow, formatCount, formatNs } from "@/components/ui";
import { type Trace, valueAt } from "@/simulator/run";
import { keyAction } from "./key-action";
import { type Radix, radixes, valueText } from "./radix";
import { isPort, orderSignals, type Transfers } from "./transfers";
import { useWaveView, type WaveControl } from "./use-wave-view";
import { WaveDrawing } from "./wave-drawing";

type Side = "in" | "out";
type WaveWords = ReturnType<typeof useTranslations<"simulate.wave">>;

/** Ports over time: zoom, pan, a cursor with the values under it, the bytes that pass marked. */
export function Waveform({ trace, clockHz }: { trace: Trace; clockHz: number | null }) {
  const t = useTranslations("simulate.wave");
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
  const values = signals.map(({ name }, index) => `${name} ${texts[index]}`);

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = keyAction(event, wave);
    if (!action) return;
    event.preventDefault();
    action();
  };

  return (
    <section aria-label={t("title")} className="mt-6">
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
            {t("inner")}
          </label>
        ) : null}
        <ChoiceRow
          label={t("radix")}
          choices={radixes.map((id) => ({ id, label: t(`radixes.${id}`) }))}
          value={radix}
          onChoose={setRadix}
        />
        <ZoomButtons wave={wave} />
      </div>
      <WaveDrawing
        frame={frame}
        signals={signals}
        texts={texts}
        radix={radix}
        wave={wave}
        spoken={spokenAt(cursor, values, passing, t)}
        onKeyDown={onKeyDown}
      />
      <p id="wave-keys" className="mt-1 text-label text-muted">
        {t.rich("keys", { kbd: (text) => <kbd>{text}</kbd> })}
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
  const t = useTranslations("simulate.wave");
  return (
    <p className="text-dense">
      {t.rich("cursor", { b: (text) => <b>{text}</b>, cycle: formatCount(cursor) })}
      {clockHz ? <span className="text-muted"> · {formatNs((cursor / clockHz) * 1e9)}</span> : null}
      {passing.map((side) => (
        <span key={side} className={side === "in" ? "text-accent" : "text-ok"}>
          {" "}
          · {t("byte", { side })}
        </span>
      ))}
    </p>
  );
}

function ZoomButtons({ wave: { fit, zoomBy } }: { wave: WaveControl }) {
  const t = useTranslations("simulate.wave");
  return (
    <span className="flex gap-1">
      <button type="button" className="btn btn-dense" onClick={fit}>
        {t("fit")}
      </button>
      <button type="button" className="btn btn-dense" onClick={() => zoomBy(0.5)}>
        {t("zoomIn")}
      </button>
      <button type="button" className="btn btn-dense" onClick={() => zoomBy(2)}>
        {t("zoomOut")}
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
  values: readonly string[],
  passing: readonly Side[],
  t: WaveWords,
): string =>
  [
    t("spoken", { cycle: String(cycle) }),
    ...values,
    ...passing.map((side) => t("spokenByte", { side })),
  ].join(", ");
