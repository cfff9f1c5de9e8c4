import { useTranslations } from "next-intl";
import type { RefObject } from "react";
import { CopyButton, formatCount } from "@/components/ui";
import type { logFiles } from "../api";
import { LogDownload } from "./log-download";
import { type LogMemory, textSizes, timeKinds } from "./log-memory";

interface LogToolbarProps {
  readonly lineCount: number;
  /** Reads the text of the selected lines; null while none is selected. */
  readonly readSelected: (() => Promise<string>) | null;
  readonly hasProblems: boolean;
  readonly memory: LogMemory;
  /** Null where the browser cannot. */
  readonly fullScreen: { readonly isOn: boolean; readonly toggle: () => void } | null;
  readonly fileUrl: (file: keyof typeof logFiles) => string;
  /** The log as a whole, which menus open inside. */
  readonly container: RefObject<HTMLElement | null>;
  readonly onFind: () => void;
  readonly onNextProblem: () => void;
  readonly onFolds: (folds: LogMemory["folds"]) => void;
  readonly onChange: (change: Partial<LogMemory>) => void;
}

/** How long the log is, and what can be done with it. */
export function LogToolbar(props: LogToolbarProps) {
  const { lineCount, readSelected, hasProblems, memory, fullScreen, fileUrl, container } = props;
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
      <LogChoice
        name={t("times")}
        value={memory.times}
        options={timeKinds.map((kind) => [kind, t(`timeKinds.${kind}`)])}
        onChange={(times) => onChange({ times })}
      />
      <LogChoice
        name={t("textSize")}
        value={memory.textSize}
        options={textSizes.map((size) => [size, t(`textSizes.${size}`)])}
        onChange={(textSize) => onChange({ textSize })}
      />
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
      <LogDownload fileUrl={fileUrl} container={container} />
    </div>
  );
}

function LogChoice<T extends string>({
  name,
  value,
  options,
  onChange,
}: {
  readonly name: string;
  readonly value: T;
  readonly options: readonly (readonly [T, string])[];
  readonly onChange: (value: T) => void;
}) {
  return (
    <label className="flex items-center gap-1.5 px-1 whitespace-nowrap">
      {name}
      <select
        className="field h-7 py-0 text-dense"
        value={value}
        onChange={({ target }) => {
          const option = options.find(([each]) => each === target.value);
          if (option) onChange(option[0]);
        }}
      >
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </label>
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
