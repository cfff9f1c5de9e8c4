"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useReducer, useRef, useState } from "react";
import {
  CopyButton,
  ErrorNote,
  formatCount,
  formatDuration,
  Skeleton,
  toneClass,
} from "@/components/ui";
import type { StageName } from "@/lib/common/contract";
import { rawLogUrl } from "../api";
import { plainText } from "./ansi";
import { type Fold, foldsOf, Rows } from "./folds";
import { formatLineRange, type LineRange, parseLineRange } from "./line-range";
import { LineText } from "./line-text";
import { useLog } from "./use-log";

const rowPx = 20;
const speakEveryMs = 10_000;

interface LogViewerProps {
  readonly buildId: string;
  readonly attempt: number;
  readonly running: boolean;
  readonly failedStage: StageName | null;
}

/**
 * The log of one attempt: folds by stage, follows while it grows, links by line, finds over all of it. Only visible rows are mounted.
 */
export function LogViewer({ buildId, attempt, running, failedStage }: LogViewerProps) {
  const log = useLog(buildId, attempt, running);
  const { lines, version } = log;
  const folds = useFolds(lines, version);
  const [toggled, setToggled] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [range, setRange] = useState<LineRange | null>(null);
  const [following, setFollowing] = useState(true);
  const [readUpTo, setReadUpTo] = useState(0);
  const [wrap, setWrap] = useState(false);
  const [finding, setFinding] = useState(false);
  const [text, setText] = useState("");
  const [hit, setHit] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const anchor = useRef<number | null>(null);
  const arrived = useRef(false);

  const isOpen = (fold: Fold) => {
    const chosen = toggled.get(fold.first);
    if (chosen !== undefined) return chosen;
    const isLast = fold === folds.at(-1);
    if (fold.stage === failedStage) return fold.errors > 0 || isLast;
    return isLast && (running || failedStage === null);
  };
  const rows = new Rows(folds, isOpen);

  const virtual = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 24,
  });

  const find = text.trim().toLowerCase();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `lines` grows in place, `version` tells that it did
  const hits = useMemo(
    () =>
      find === ""
        ? []
        : lines
            .filter((line) => plainText(line.text).toLowerCase().includes(find))
            .map(({ n }) => n),
    [find, lines, version],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const problems = useMemo(
    () => lines.filter(({ level }) => level !== "info").map(({ n }) => n),
    [lines, version],
  );

  /** Opens the fold of a line, if need be, and brings it into the upper third. */
  const [jump, setJump] = useState<number | null>(null);
  const goTo = (n: number) => {
    const fold = folds.find(({ first, last }) => n >= first && n <= last);
    // Pinned open even if it is open now: the default closes a fold once the next one begins.
    if (fold) setToggled(new Map(toggled).set(fold.first, true));
    setFollowing(false);
    setJump(n);
  };
  useEffect(() => {
    if (jump === null || !scroller.current) return;
    const index = rows.indexOf(jump);
    if (index >= 0) {
      const third = Math.floor(scroller.current.clientHeight / 3 / rowPx);
      virtual.scrollToIndex(Math.max(0, index - third), { align: "start" });
    }
    setJump(null);
  }, [jump, rows, virtual]);

  const select = (next: LineRange) => {
    setRange(next);
    setFollowing(false);
    const url = new URL(window.location.href);
    url.searchParams.set("attempt", String(attempt));
    url.hash = formatLineRange(next);
    window.history.replaceState(window.history.state, "", url);
  };

  // A link to a line is honoured once its line is here, and again when the address changes.
  const [wanted, setWanted] = useState<LineRange | null>(null);
  useEffect(() => {
    const read = () => {
      const linked = parseLineRange(window.location.hash);
      setWanted(linked);
      if (linked) setFollowing(false);
    };
    read();
    window.addEventListener("hashchange", read);
    return () => window.removeEventListener("hashchange", read);
  }, []);
  useEffect(() => {
    if (!wanted || lines.length < wanted.first || version === 0) return;
    setRange(wanted);
    setWanted(null);
    goTo(wanted.first);
  });

  // A failed build is opened at its first error.
  useEffect(() => {
    if (arrived.current || !log.filled || wanted || range) return;
    arrived.current = true;
    const firstError = lines.find(({ level }) => level === "error");
    if (failedStage && firstError) goTo(firstError.n);
  });

  // Following: the end stays in view while the log grows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` is what makes it scroll again
  useEffect(() => {
    if (!following) return;
    setReadUpTo(lines.length);
    if (rows.count > 0 && (running || lines.length === 0)) {
      virtual.scrollToIndex(rows.count - 1, { align: "end" });
    }
  }, [following, version, rows.count, running]);

  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < rowPx * 1.5;
    if (atEnd && running && !following) setFollowing(true);
  };
  /** Only a person's own move ends following; the log growing must not. */
  const onUserMove = (event: { deltaY?: number }) => {
    if (following && (event.deltaY === undefined || event.deltaY < 0)) setFollowing(false);
  };

  const step = (places: readonly number[], from: number, by: 1 | -1) => {
    const next =
      by === 1
        ? (places.find((n) => n > from) ?? places[0])
        : (places.findLast((n) => n < from) ?? places.at(-1));
    if (next !== undefined) {
      select({ first: next, last: next });
      goTo(next);
    }
  };
  const openSearch = () => {
    setFinding(true);
    setTimeout(() => searchField.current?.focus());
  };
  const goToHit = (index: number) => {
    const place = (index + hits.length) % Math.max(1, hits.length);
    setHit(place);
    const n = hits[place];
    if (n !== undefined) goTo(n);
  };
  const follow = () => {
    setFollowing(true);
    if (rows.count > 0) virtual.scrollToIndex(rows.count - 1, { align: "end" });
  };
  const toggle = (fold: Fold) => setToggled(new Map(toggled).set(fold.first, !isOpen(fold)));

  const onKeyDown = (event: React.KeyboardEvent) => {
    const typing = event.target instanceof HTMLInputElement;
    if (event.key === "f" && (event.metaKey || event.ctrlKey) && !finding) {
      event.preventDefault();
      openSearch();
      return;
    }
    if (typing || event.metaKey || event.ctrlKey || event.altKey) return;
    if (runKey(event.key)) event.preventDefault();
  };
  /** Single letters, heard only while the log has the focus. */
  const runKey = (key: string): boolean => {
    switch (key) {
      case "f":
      case "G":
        follow();
        return true;
      case "/":
        openSearch();
        return true;
      case "e":
        step(problems, range?.first ?? 0, 1);
        return true;
      case "E":
        step(problems, range?.first ?? Number.MAX_SAFE_INTEGER, -1);
        return true;
      case "g":
        setFollowing(false);
        virtual.scrollToIndex(0);
        return true;
      case "n":
        goToHit(hit + 1);
        return true;
      case "N":
        goToHit(hit - 1);
        return true;
      default:
        return false;
    }
  };

  const unseen = lines.length - readUpTo;
  const selected = range
    ? lines
        .slice(range.first - 1, range.last)
        .map((line) => plainText(line.text))
        .join("\n")
    : "";

  return (
    <section
      aria-label="Log"
      className="well relative flex h-[min(72vh,760px)] min-h-80 flex-col overflow-hidden max-desk:h-[64vh]"
      onKeyDown={onKeyDown}
    >
      <div className="flex min-h-10 flex-wrap items-center gap-x-1 border-b border-line px-3 text-dense text-muted">
        <h2 className="mr-2 text-dense font-normal">Log</h2>
        <span className="whitespace-nowrap">
          {formatCount(lines.length)} {lines.length === 1 ? "line" : "lines"}
        </span>
        <span className="flex-1" />
        {range ? (
          <>
            <CopyButton text={() => selected} label="Copy the selected lines">
              Copy
            </CopyButton>
            <CopyButton text={() => window.location.href} label="Copy a link to the selected lines">
              Link
            </CopyButton>
          </>
        ) : null}
        <button type="button" className="btn btn-quiet btn-dense" onClick={openSearch}>
          Find <kbd className="max-desk:hidden">/</kbd>
        </button>
        <button
          type="button"
          className="btn btn-quiet btn-dense"
          disabled={problems.length === 0}
          onClick={() => step(problems, range?.first ?? 0, 1)}
        >
          Next problem <kbd className="max-desk:hidden">E</kbd>
        </button>
        <button
          type="button"
          className="btn btn-quiet btn-dense max-tablet:hidden"
          aria-pressed={wrap}
          onClick={() => setWrap(!wrap)}
        >
          {wrap ? "Do not wrap" : "Wrap"}
        </button>
        <a
          className="btn btn-quiet btn-dense"
          href={rawLogUrl(buildId, attempt)}
          download={`${buildId}-${attempt}.log`}
        >
          Raw
        </a>
      </div>
      {finding ? (
        <search className="flex items-center gap-2 border-b border-line px-3 py-1.5 text-dense">
          <input
            ref={searchField}
            className="field h-8 max-w-72 min-w-0 flex-1 text-dense"
            aria-label="Find in the log"
            placeholder="Find in the whole log"
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setHit(0);
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter")
                goToHit(event.shiftKey ? hit - 1 : hit + (find && hits.length ? 1 : 0));
              if (event.key === "Escape") {
                setFinding(false);
                setText("");
                scroller.current?.focus();
              }
            }}
          />
          <span aria-live="polite" className="whitespace-nowrap text-muted">
            {find === ""
              ? ""
              : hits.length === 0
                ? "not found"
                : `${hit + 1} of ${formatCount(hits.length)}`}
          </span>
          <button
            type="button"
            className="btn btn-quiet btn-dense"
            aria-label="Previous match"
            onClick={() => goToHit(hit - 1)}
          >
            ↑
          </button>
          <button
            type="button"
            className="btn btn-quiet btn-dense"
            aria-label="Next match"
            onClick={() => goToHit(hit + 1)}
          >
            ↓
          </button>
          <button
            type="button"
            className="btn btn-quiet btn-dense"
            onClick={() => {
              setFinding(false);
              setText("");
            }}
          >
            Close
          </button>
        </search>
      ) : null}
      {log.error && lines.length === 0 ? (
        <div className="p-4">
          <ErrorNote title="The log cannot be read." error={log.error} />
        </div>
      ) : null}
      {!log.filled && !log.error && lines.length === 0 ? (
        <div className="p-4">
          <Skeleton lines={8} height={14} />
        </div>
      ) : null}
      {log.filled && lines.length === 0 ? (
        <p className="p-4 text-dense text-muted">
          {running
            ? "Nothing written yet. Lines appear here as the tools write them."
            : "Nothing was written."}
        </p>
      ) : null}
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={`Log of attempt ${attempt}, ${lines.length} lines`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        className="relative min-h-0 flex-1 overflow-auto overscroll-contain py-2 font-mono text-dense leading-[20px] outline-offset-[-2px]"
        onScroll={onScroll}
        onWheel={onUserMove}
        onTouchMove={() => onUserMove({})}
        onPointerDown={(event) => {
          if (event.target === event.currentTarget) onUserMove({});
        }}
      >
        <div
          className="relative min-w-full"
          style={{ height: virtual.getTotalSize(), width: wrap ? "100%" : "max-content" }}
        >
          {virtual.getVirtualItems().map((item) => {
            const row = rows.at(item.index);
            if (!row) return null;
            return (
              <div
                key={item.key}
                data-index={item.index}
                ref={virtual.measureElement}
                className="absolute top-0 left-0 min-w-full"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                {row.kind === "fold" ? (
                  <FoldRow fold={row.fold} open={row.open} onToggle={() => toggle(row.fold)} />
                ) : (
                  <LineRow
                    n={row.n}
                    text={lines[row.n - 1]?.text ?? ""}
                    level={lines[row.n - 1]?.level ?? "info"}
                    lit={range !== null && row.n >= range.first && row.n <= range.last}
                    wrap={wrap}
                    find={find}
                    onPick={(extend) => {
                      const from = extend ? (anchor.current ?? row.n) : row.n;
                      if (!extend) anchor.current = row.n;
                      select({ first: Math.min(from, row.n), last: Math.max(from, row.n) });
                    }}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
      {running ? (
        <button
          type="button"
          className={`absolute right-4 bottom-3.5 min-h-7 rounded-full px-3.5 py-1 text-dense font-strong ${
            following ? "bg-accent text-on-accent" : "border border-accent bg-surface text-accent"
          }`}
          onClick={following ? () => setFollowing(false) : follow}
          aria-pressed={following}
        >
          {following
            ? "Following"
            : unseen > 0
              ? `${formatCount(unseen)} new ${unseen === 1 ? "line" : "lines"}`
              : "Follow"}
        </button>
      ) : null}
      <Spoken folds={folds} running={running} />
    </section>
  );
}

/** Folds of a log that grows in place. */
function useFolds(lines: readonly Parameters<typeof foldsOf>[0][number][], version: number) {
  const kept = useRef<{ version: number; folds: readonly Fold[] }>({ version: 0, folds: [] });
  if (kept.current.version !== version) {
    kept.current = { version, folds: foldsOf(lines, kept.current.folds) };
  }
  return kept.current.folds;
}

function FoldRow({ fold, open, onToggle }: { fold: Fold; open: boolean; onToggle: () => void }) {
  const count = fold.last - fold.first + 1;
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={onToggle}
      className="grid w-full grid-cols-[64px_auto] justify-start text-left hover:bg-[color-mix(in_srgb,var(--text)_5%,transparent)]"
    >
      <span className="pr-3.5 text-right text-muted">{fold.first}</span>
      <span className={`whitespace-nowrap ${open ? "" : "text-muted"}`}>
        <span aria-hidden="true">{open ? "▾" : "▸"}</span> {fold.stage}
        <span className="text-muted">
          {" "}
          — {formatCount(count)} {count === 1 ? "line" : "lines"}
          {fold.durationMs > 0 ? `, ${formatDuration(fold.durationMs)}` : null}
        </span>
        {fold.warnings > 0 ? (
          <span className={toneClass.warn}>
            , {fold.warnings} {fold.warnings === 1 ? "warning" : "warnings"}
          </span>
        ) : null}
        {fold.errors > 0 ? (
          <span className={toneClass.bad}>
            , {fold.errors} {fold.errors === 1 ? "error" : "errors"}
          </span>
        ) : null}
      </span>
    </button>
  );
}

const levelClass = { info: "", warning: "text-warn", error: "text-bad" } as const;
const levelMark = { info: "", warning: "!", error: "×" } as const;

function LineRow({
  n,
  text,
  level,
  lit,
  wrap,
  find,
  onPick,
}: {
  n: number;
  text: string;
  level: "info" | "warning" | "error";
  lit: boolean;
  wrap: boolean;
  find: string;
  onPick: (extend: boolean) => void;
}) {
  return (
    <div
      className={`grid grid-cols-[64px_12px_minmax(0,1fr)] pr-3 ${
        lit
          ? "bg-[color-mix(in_srgb,var(--accent)_14%,transparent)]"
          : "hover:bg-[color-mix(in_srgb,var(--text)_5%,transparent)]"
      }`}
    >
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Line ${n}`}
        aria-pressed={lit}
        className="pr-3.5 text-right text-muted select-none hover:text-accent"
        onClick={(event) => onPick(event.shiftKey)}
      >
        {n}
      </button>
      <span aria-hidden="true" className={`select-none ${levelClass[level]}`}>
        {levelMark[level]}
      </span>
      <span
        className={`${levelClass[level]} ${wrap ? "break-words whitespace-pre-wrap" : "whitespace-pre"}`}
      >
        {level === "info" ? null : <span className="sr-only">{level}: </span>}
        <LineText text={text} find={find} />
      </span>
    </div>
  );
}

/** Speaks the present stage and new errors to screen readers, at most once per ten seconds. */
function Spoken({ folds, running }: { folds: readonly Fold[]; running: boolean }) {
  const errors = folds.reduce((sum, fold) => sum + fold.errors, 0);
  const stage = folds.at(-1)?.stage;
  const latest = running && stage ? `${stage}${errors > 0 ? `, ${errors} errors` : ""}` : "";
  const said = useRef({ text: "", at: 0 });
  const [, repaint] = useReducer((count: number) => count + 1, 0);
  const [spoken, setSpoken] = useState("");
  useEffect(() => {
    if (latest === said.current.text) return;
    const wait = Math.max(0, said.current.at + speakEveryMs - Date.now());
    const timer = setTimeout(() => {
      said.current = { text: latest, at: Date.now() };
      setSpoken(latest);
      repaint();
    }, wait);
    return () => clearTimeout(timer);
  }, [latest]);
  return (
    <p aria-live="polite" className="sr-only">
      {spoken}
    </p>
  );
}
