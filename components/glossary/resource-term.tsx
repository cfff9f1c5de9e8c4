import type { ReactNode } from "react";
import { Term } from "./term";
import type { TermId } from "./term-id";

const terms = new Map<string, TermId>([
  ["lut", "lut"],
  ["ff", "flipFlop"],
  ["bram", "bram"],
  ["dsp", "dsp"],
]);

interface ResourceTermProps {
  /** As reports and boards call it. */
  readonly id: string;
  readonly children: ReactNode;
}

/** What a resource of a chip is called, with what it is behind the word; others stand by themselves. */
export function ResourceTerm({ id, children }: ResourceTermProps) {
  const term = terms.get(id);
  return term === undefined ? children : <Term id={term}>{children}</Term>;
}
