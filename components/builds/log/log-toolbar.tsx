import { useTranslations } from "next-intl";
import { CopyButton, formatCount } from "@/components/ui";
import { type LogMemory, timeKinds } from "./log-memory";

interface LogToolbarProps {
  readonly lineCount: number;
  /** Reads the text of the selected lines; null while none is selected. */
  readonly readSelected: (() => Promise<string>) | null;
  readonly hasProblems: boolean;
  readonly memory: LogMemory;
  /** Null where the browser cannot. */
  readonly fullScreen: { readonly isOn: boolean; readonly toggle: () => void } | null;
  readonly raw: { readonly href: string; readonly fileName: string };
  readonly onFind: () => void;
  readonly onNextProblem: () => void;
  readonly onFolds: (folds: LogMemory["folds"]) => void;
  readonly onChange: (change: Partial<LogMemory>) => void;
}

/** How long the log is, and what can be done with it. */
export function LogToolbar(props: LogToolbarProps) {
  const { lineCount, readSelected, hasProblems, memory, raw, fullScreen } = props;
  const { onFind, onNextProblem, onFolds, onChange } = props;
  const t = useTranslations("builds.log");
  const isUnfolded = memory.folds === "open";
  return (
    <div className="flex min-h-10 flex-none flex-wrap items-center gap-x-1 border-b border-line px-3 text-dense text-muted">
      <h2 className="mr-2 text-dense font-normal">{t("name")}</h2>
      <span className="whitespace-nowrap">
        {t("lines", { count: lineCount, shown: formatCount(lineCount) })}
      </span>
      <span className="flex-1" />
      {readSelected === null ? null : <CopySelected read={readSelected} />}
      <button type="button" className="btn btn-quiet btn-dense" onClick={onFind}>
        {t("find")} <kbd className="max-desk:hidden">/</kbd>
      </button>
      <button
        type="button"
        className="btn btn-quiet btn-dense"
        disabled={!hasProblems}
        onClick={onNextProblem}
      >
        {t("nextProblem")} <kbd className="max-desk:hidden">E</kbd>
      </button>
      <button
        type="button"
        className="btn btn-quiet btn-dense"
        onClick={() => onFolds(isUnfolded ? "closed" : "open")}
      >
        {isUnfolded ? t("foldAll") : t("unfoldAll")}
      </button>
      <label className="flex items-center gap-1.5 px-1">
        {t("times")}
        <select
          className="field h-7 py-0 text-dense"
          value={memory.times}
          onChange={({ target }) =>
            onChange({ times: timeKinds.find((kind) => kind === target.value) ?? "off" })
          }
        >
          {timeKinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(`timeKinds.${kind}`)}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        className="btn btn-quiet btn-dense"
        aria-pressed={memory.wrap}
        onClick={() => onChange({ wrap: !memory.wrap })}
      >
        {t("wrap")}
      </button>
      {fullScreen ? (
        <button
          type="button"
          className="btn btn-quiet btn-dense max-tablet:hidden"
          aria-pressed={fullScreen.isOn}
          onClick={fullScreen.toggle}
        >
          {t("fullScreen")}
        </button>
      ) : null}
      <a className="btn btn-quiet btn-dense" href={raw.href} download={raw.fileName}>
        {t("raw")}
      </a>
    </div>
  );
}

function CopySelected({ read }: { readonly read: () => Promise<string> }) {
  const t = useTranslations("builds.log");
  return (
    <>
      <CopyButton text={read} label={t("copySelected")}>
        {t("copy")}
      </CopyButton>
      <CopyButton text={() => window.location.href} label={t("copyLink")}>
        {t("link")}
      </CopyButton>
    </>
  );
}
