import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { LogSearch } from "@/lib/common/contract";
import { logSearchQuery } from "../api";

export interface Find {
  readonly isOpen: boolean;
  readonly field: RefObject<HTMLInputElement | null>;
  /** As typed. */
  readonly text: string;
  readonly isExact: boolean;
  /** Whether it is a regular expression. */
  readonly isPattern: boolean;
  /** What to mark in the lines; null for nothing. */
  readonly mark: RegExp | null;
  /** What the server found; null before it has answered. */
  readonly found: LogSearch | null;
  readonly isPending: boolean;
  readonly error: unknown;
  /** Which of the lines found is the present one, counted from 0. */
  readonly at: number;
  open(): void;
  close(): void;
  type(text: string): void;
  setExact(isExact: boolean): void;
  setPattern(isPattern: boolean): void;
  next(): void;
  previous(): void;
}

interface FindOf {
  readonly buildId: string;
  readonly attempt: number;
  readonly running: boolean;
  readonly goTo: (n: number) => void;
}

const settleMs = 200;
const lookAgainMs = 3000;

/** Finds a text in all lines of the log: the server looks, since most lines are not here. */
export function useFind({ buildId, attempt, running, goTo }: FindOf): Find {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [isExact, setExact] = useState(false);
  const [isPattern, setPattern] = useState(false);
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const sought = useSettled(text.trim());
  const search = useQuery({
    ...logSearchQuery(buildId, { attempt, text: sought, isExact, isPattern }),
    enabled: isOpen && sought !== "",
    placeholderData: keepPreviousData,
    refetchInterval: running ? lookAgainMs : false,
  });
  const found = sought === "" ? null : (search.data ?? null);
  // A pattern that holds the server up would hold up this page: it is marked once the server has got through all lines with it.
  const isFound = search.isSuccess && !search.isPlaceholderData;
  const isMarked = sought !== "" && (!isPattern || isFound);
  const mark = useMemo(
    () =>
      isMarked ? new RegExp(isPattern ? sought : literal(sought), isExact ? "g" : "gi") : null,
    [isMarked, isPattern, sought, isExact],
  );
  const goToHit = (index: number) => {
    const numbers = found?.numbers ?? [];
    const place = (index + numbers.length) % Math.max(1, numbers.length);
    setAt(place);
    const n = numbers[place];
    if (n !== undefined) goTo(n);
  };
  return {
    ...{ isOpen, field, text, isExact, isPattern, mark, found, at },
    isPending: sought !== "" && search.isFetching && !search.data,
    error: sought === "" ? null : search.error,
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
      setAt(-1);
    },
    setExact: (exact) => {
      setExact(exact);
      setAt(-1);
    },
    setPattern: (pattern) => {
      setPattern(pattern);
      setAt(-1);
    },
    next: () => goToHit(at + 1),
    previous: () => goToHit(Math.max(0, at) - 1),
  };
}

/** A pattern that matches a text as it stands. */
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A text once nobody has typed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settleMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
