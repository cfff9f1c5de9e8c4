import type { ReactNode } from "react";
import { type Appearance, type Tone, toneClass } from "./tone";

const marks = {
  ok: <path d="M2.5 6.5 5 9l4.5-6" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  run: (
    <circle
      cx="6"
      cy="6"
      r="4"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeDasharray="18 8"
    />
  ),
  warn: (
    <>
      <path d="M6 1.5 11 10.5H1z" fill="none" stroke="currentColor" strokeWidth="1.3" />
      <path d="M6 4.6v2.8M6 8.6v.9" stroke="currentColor" strokeWidth="1.2" />
    </>
  ),
  bad: <path d="m3 3 6 6m0-6-6 6" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  info: <circle cx="6" cy="6" r="3" fill="currentColor" />,
  idle: <circle cx="6" cy="6" r="3.6" fill="none" stroke="currentColor" strokeWidth="1.3" />,
} as const satisfies Record<Tone, ReactNode>;

export function ToneIcon({ tone }: { tone: Tone }) {
  return (
    <svg
      width="12"
      height="12"
      viewBox="0 0 12 12"
      aria-hidden="true"
      className={`flex-none translate-y-px ${toneClass[tone]}`}
    >
      {marks[tone]}
    </svg>
  );
}

/** A state as icon, word and colour together. */
export function StateMark({
  appearance,
  label,
}: {
  appearance: Appearance;
  label?: string | undefined;
}) {
  return (
    <span
      className={`inline-flex items-baseline gap-[7px] whitespace-nowrap ${toneClass[appearance.tone]}`}
    >
      <ToneIcon tone={appearance.tone} />
      <span>{label ?? appearance.label}</span>
    </span>
  );
}
