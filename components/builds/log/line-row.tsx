import type { LogLine } from "@/lib/common/contract";
import { LineText } from "./line-text";

const levelClass = { info: "", warning: "text-warn", error: "text-bad" } as const;
const levelMark = { info: "", warning: "!", error: "×" } as const;

interface LineRowProps {
  readonly n: number;
  readonly text: string;
  readonly level: LogLine["level"];
  readonly lit: boolean;
  readonly wrap: boolean;
  /** What to mark in the text; empty for nothing. */
  readonly find: string;
  readonly onPick: (extend: boolean) => void;
}

/** One line of the log with its number, which selects it. */
export function LineRow({ n, text, level, lit, wrap, find, onPick }: LineRowProps) {
  return (
    <div
      className={`grid grid-cols-[64px_12px_minmax(0,1fr)] pr-3 ${
        lit
          ? "bg-[color-mix(in_srgb,var(--accent)_14%,transparent)]"
          : "hover:bg-[color-mix(in_srgb,var(--text)_5%,transparent)]"
      }`}
    >
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Line ${n}`}
        aria-pressed={lit}
        className="pr-3.5 text-right text-muted select-none hover:text-accent"
        onClick={(event) => onPick(event.shiftKey)}
      >
        {n}
      </button>
      <span aria-hidden="true" className={`select-none ${levelClass[level]}`}>
        {levelMark[level]}
      </span>
      <span
        className={`${levelClass[level]} ${wrap ? "break-words whitespace-pre-wrap" : "whitespace-pre"}`}
      >
        {level === "info" ? null : <span className="sr-only">{level}: </span>}
        <LineText text={text} find={find} />
      </span>
    </div>
  );
}
