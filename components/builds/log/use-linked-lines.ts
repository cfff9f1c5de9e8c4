import { useEffect, useState } from "react";
import { type LineRange, parseLineRange } from "./line-range";
import type { LogSnapshot } from "./log-store";

/**
 * Honours a link to lines, now and when the address changes: `onLink` as soon as there is one, `onLines` once its first line is here.
 *
 * @returns Whether a link waits for its line.
 */
export function useLinkedLines(
  { outline }: LogSnapshot,
  { onLink, onLines }: { onLink: () => void; onLines: (range: LineRange) => void },
): boolean {
  const [wanted, setWanted] = useState<LineRange | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onLink` sets a state and nothing else
  useEffect(() => {
    const read = () => {
      const linked = parseLineRange(window.location.hash);
      setWanted(linked);
      if (linked) onLink();
    };
    read();
    window.addEventListener("hashchange", read);
    return () => window.removeEventListener("hashchange", read);
  }, []);
  useEffect(() => {
    if (!wanted || outline.lines < wanted.first) return;
    setWanted(null);
    onLines(wanted);
  });
  return wanted !== null;
}
