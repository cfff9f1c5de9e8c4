import { CopyButton, formatCount } from "@/components/ui";

interface LogToolbarProps {
  readonly lineCount: number;
  /** Text of the selected lines; null while none is selected. */
  readonly selected: string | null;
  readonly hasProblems: boolean;
  readonly wrap: boolean;
  readonly raw: { readonly href: string; readonly fileName: string };
  readonly onFind: () => void;
  readonly onNextProblem: () => void;
  readonly onWrap: (wrap: boolean) => void;
}

/** How long the log is, and what can be done with it. */
export function LogToolbar(props: LogToolbarProps) {
  const { lineCount, selected, hasProblems, wrap, raw, onFind, onNextProblem, onWrap } = props;
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-1 border-b border-line px-3 text-dense text-muted">
      <h2 className="mr-2 text-dense font-normal">Log</h2>
      <span className="whitespace-nowrap">
        {formatCount(lineCount)} {lineCount === 1 ? "line" : "lines"}
      </span>
      <span className="flex-1" />
      {selected === null ? null : <CopySelected text={selected} />}
      <button type="button" className="btn btn-quiet btn-dense" onClick={onFind}>
        Find <kbd className="max-desk:hidden">/</kbd>
      </button>
      <button
        type="button"
        className="btn btn-quiet btn-dense"
        disabled={!hasProblems}
        onClick={onNextProblem}
      >
        Next problem <kbd className="max-desk:hidden">E</kbd>
      </button>
      <button
        type="button"
        className="btn btn-quiet btn-dense max-tablet:hidden"
        aria-pressed={wrap}
        onClick={() => onWrap(!wrap)}
      >
        {wrap ? "Do not wrap" : "Wrap"}
      </button>
      <a className="btn btn-quiet btn-dense" href={raw.href} download={raw.fileName}>
        Raw
      </a>
    </div>
  );
}

function CopySelected({ text }: { text: string }) {
  return (
    <>
      <CopyButton text={() => text} label="Copy the selected lines">
        Copy
      </CopyButton>
      <CopyButton text={() => window.location.href} label="Copy a link to the selected lines">
        Link
      </CopyButton>
    </>
  );
}
