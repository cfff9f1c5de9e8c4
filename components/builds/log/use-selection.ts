import { useRef, useState } from "react";
import { plainLine } from "@/lib/common/log-outline";
import { fetchLogPage } from "../api";
import { formatLineRange, type LineRange } from "./line-range";

export interface Selection {
  readonly range: LineRange | null;
  /** Fetches the text of the selected lines: they need not be here. */
  readText(): Promise<string>;
  /** Takes over a range that the address names already. */
  show(range: LineRange): void;
  /** Selects a range and writes it into the address. */
  select(range: LineRange): void;
  /** Selects line `n`, or everything from the line picked before up to it. */
  pick(n: number, extend: boolean): void;
}

interface SelectionOf {
  readonly buildId: string;
  readonly attempt: number;
  readonly onSelect: () => void;
}

/** The selected lines, which the address of the page names. */
export function useSelection({ buildId, attempt, onSelect }: SelectionOf): Selection {
  const [range, setRange] = useState<LineRange | null>(null);
  const anchor = useRef<number | null>(null);
  const select = (next: LineRange) => {
    setRange(next);
    onSelect();
    writeAddress(attempt, next);
  };
  return {
    range,
    readText: async () => (range ? await textOf(buildId, attempt, range) : ""),
    show: setRange,
    select,
    pick: (n, extend) => {
      const from = extend ? (anchor.current ?? n) : n;
      if (!extend) anchor.current = n;
      select({ first: Math.min(from, n), last: Math.max(from, n) });
    },
  };
}

/** The API gives as many lines at a time. */
const pageLines = 5000;

async function textOf(buildId: string, attempt: number, { first, last }: LineRange) {
  const texts: string[] = [];
  for (let from = first; from <= last; from += pageLines) {
    const limit = Math.min(pageLines, last - from + 1);
    const { lines } = await fetchLogPage(buildId, { attempt, from, limit });
    texts.push(...lines.map(({ text }) => plainLine(text)));
  }
  return texts.join("\n");
}

function writeAddress(attempt: number, range: LineRange): void {
  const url = new URL(window.location.href);
  url.searchParams.set("attempt", String(attempt));
  url.hash = formatLineRange(range);
  window.history.replaceState(window.history.state, "", url);
}
