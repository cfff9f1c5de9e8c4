import { useRef, useState } from "react";
import type { LogLine } from "@/lib/common/contract";
import { plainText } from "./ansi";
import { formatLineRange, type LineRange } from "./line-range";

export interface Selection {
  readonly range: LineRange | null;
  readonly text: string;
  /** Takes over a range that the address names already. */
  show(range: LineRange): void;
  /** Selects a range and writes it into the address. */
  select(range: LineRange): void;
  /** Selects line `n`, or everything from the line picked before up to it. */
  pick(n: number, extend: boolean): void;
}

/** The selected lines, which the address of the page names. */
export function useSelection(
  lines: readonly LogLine[],
  { attempt, onSelect }: { attempt: number; onSelect: () => void },
): Selection {
  const [range, setRange] = useState<LineRange | null>(null);
  const anchor = useRef<number | null>(null);
  const select = (next: LineRange) => {
    setRange(next);
    onSelect();
    writeAddress(attempt, next);
  };
  return {
    range,
    text: range ? textOf(lines, range) : "",
    show: setRange,
    select,
    pick: (n, extend) => {
      const from = extend ? (anchor.current ?? n) : n;
      if (!extend) anchor.current = n;
      select({ first: Math.min(from, n), last: Math.max(from, n) });
    },
  };
}

const textOf = (lines: readonly LogLine[], { first, last }: LineRange) =>
  lines
    .slice(first - 1, last)
    .map((line) => plainText(line.text))
    .join("\n");

function writeAddress(attempt: number, range: LineRange): void {
  const url = new URL(window.location.href);
  url.searchParams.set("attempt", String(attempt));
  url.hash = formatLineRange(range);
  window.history.replaceState(window.history.state, "", url);
}
