import { type RefObject, useMemo, useRef, useState } from "react";
import { plainText } from "./ansi";
import type { LogSnapshot } from "./log-store";

export interface Find {
  readonly isOpen: boolean;
  readonly field: RefObject<HTMLInputElement | null>;
  /** As typed. */
  readonly text: string;
  /** As looked for: without spaces around it, in small letters. */
  readonly sought: string;
  /** How many lines hold it, and which of them is the present one, counted from 0. */
  readonly count: number;
  readonly at: number;
  open(): void;
  close(): void;
  type(text: string): void;
  next(): void;
  previous(): void;
}

/** Finds a text in all lines of the log, mounted or not. */
export function useFind({ lines, version }: LogSnapshot, goTo: (n: number) => void): Find {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const sought = text.trim().toLowerCase();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `lines` grows in place, `version` tells that it did
  const hits = useMemo(() => linesWith(sought, lines), [sought, lines, version]);

  const goToHit = (index: number) => {
    const place = (index + hits.length) % Math.max(1, hits.length);
    setAt(place);
    const n = hits[place];
    if (n !== undefined) goTo(n);
  };
  return {
    isOpen,
    field,
    text,
    sought,
    count: hits.length,
    at,
    open: () => {
      setOpen(true);
      setTimeout(() => field.current?.focus());
    },
    close: () => {
      setOpen(false);
      setText("");
    },
    type: (typed) => {
      setText(typed);
      setAt(0);
    },
    next: () => goToHit(at + 1),
    previous: () => goToHit(at - 1),
  };
}

const linesWith = (sought: string, lines: LogSnapshot["lines"]) =>
  sought === ""
    ? []
    : lines.filter((line) => plainText(line.text).toLowerCase().includes(sought)).map(({ n }) => n);
