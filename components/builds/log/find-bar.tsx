import { formatCount } from "@/components/ui";
import type { Find } from "./use-find";

/** The field to find in, which match is shown, and the way to the others. */
export function FindBar({ find, onEscape }: { find: Find; onEscape: () => void }) {
  return (
    <search className="flex items-center gap-2 border-b border-line px-3 py-1.5 text-dense">
      <FindField find={find} onEscape={onEscape} />
      <span aria-live="polite" className="whitespace-nowrap text-muted">
        {matchWords(find)}
      </span>
      <button
        type="button"
        className="btn btn-quiet btn-dense"
        aria-label="Previous match"
        onClick={find.previous}
      >
        ↑
      </button>
      <button
        type="button"
        className="btn btn-quiet btn-dense"
        aria-label="Next match"
        onClick={find.next}
      >
        ↓
      </button>
      <button type="button" className="btn btn-quiet btn-dense" onClick={find.close}>
        Close
      </button>
    </search>
  );
}

function FindField({ find, onEscape }: { find: Find; onEscape: () => void }) {
  return (
    <input
      ref={find.field}
      className="field h-8 max-w-72 min-w-0 flex-1 text-dense"
      aria-label="Find in the log"
      placeholder="Find in the whole log"
      value={find.text}
      onChange={(event) => find.type(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") {
          if (event.shiftKey) find.previous();
          else find.next();
        }
        if (event.key === "Escape") {
          find.close();
          onEscape();
        }
      }}
    />
  );
}

function matchWords({ sought, count, at }: Find): string {
  if (sought === "") return "";
  return count === 0 ? "not found" : `${at + 1} of ${formatCount(count)}`;
}
