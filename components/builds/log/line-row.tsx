import { useTranslations } from "next-intl";
import type { LogLine } from "@/lib/common/contract";
import { LineText } from "./line-text";

const levelClass = { info: "", warning: "text-warn", error: "text-bad" } as const;
const levelMark = { info: "", warning: "!", error: "×" } as const;

interface LineRowProps {
  readonly n: number;
  /** Undefined while it is on its way. */
  readonly line: LogLine | undefined;
  readonly time: string | null;
  readonly hasTime: boolean;
  readonly lit: boolean;
  readonly wrap: boolean;
  /** What to mark in the text; null for nothing. */
  readonly mark: RegExp | null;
  readonly onPick: (extend: boolean) => void;
}

/** One line of the log with its number, which selects it. */
export function LineRow(props: LineRowProps) {
  const { n, line, time, hasTime, lit, wrap, mark, onPick } = props;
  const t = useTranslations("builds.log");
  const level = line?.level ?? "info";
  return (
    <div
      className={`grid pr-3 ${
        hasTime ? "grid-cols-[5.6em_8em_1em_minmax(0,1fr)]" : "grid-cols-[5.6em_1em_minmax(0,1fr)]"
      } ${
        lit
          ? "bg-[color-mix(in_srgb,var(--accent)_14%,transparent)]"
          : "hover:bg-[color-mix(in_srgb,var(--text)_5%,transparent)]"
      }`}
    >
      <button
        type="button"
        tabIndex={-1}
        aria-label={t("line", { n })}
        aria-pressed={lit}
        className="pr-3.5 text-right text-muted select-none hover:text-accent"
        onClick={(event) => onPick(event.shiftKey)}
      >
        {n}
      </button>
      {hasTime ? (
        <span className="pr-3 text-right whitespace-nowrap text-muted select-none">{time}</span>
      ) : null}
      <span aria-hidden="true" className={`select-none ${levelClass[level]}`}>
        {levelMark[level]}
      </span>
      <span
        className={`${levelClass[level]} ${wrap ? "break-words whitespace-pre-wrap" : "whitespace-pre"}`}
      >
        {level === "info" ? null : <span className="sr-only">{t(`levels.${level}`)}: </span>}
        {line ? <LineText text={line.text} mark={mark} /> : <span className="text-muted">…</span>}
      </span>
    </div>
  );
}
