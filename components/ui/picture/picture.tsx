"use client";

import { useTranslations } from "next-intl";
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { HeadingLink } from "../heading-link";
import { type PictureColumn, wordsOf } from "./columns";
import { PictureTable } from "./picture-table";
import { SaveButtons } from "./save-buttons";

interface PictureProps<Row> {
  /** What the picture shows, as a finding: “Half within 2 ms, 99 of 100 within 9 ms”. */
  readonly title: string;
  /** How it is to be read, and what is not seen at once. */
  readonly summary: string;
  /** Name of the files that are saved, without an ending. */
  readonly file: string;
  /** The points, each with all that is drawn of it. */
  readonly rows: readonly Row[];
  readonly columns: readonly PictureColumn<NoInfer<Row>>[];
  /** `own` where the drawing has a way of its own through its points, by keyboard too. */
  readonly keys?: "points" | "own";
  readonly heading?: "h2" | "h3";
  readonly headingId?: string;
  /** What chooses between views; it is not saved. */
  readonly choices?: ReactNode;
  /**
   * The drawing. What is drawn of point 3 has `data-point="3"`; what has `data-unsaved` is left out of files,
   * what has `data-saved` is in them alone, and what has `data-whole` is in them as far as it scrolls.
   */
  readonly children: ReactNode;
}

/**
 * What every picture has: a title that states the finding, a summary, its points as a table, a way through them with the arrow
 * keys, and files of it.
 */
export function Picture<Row>({
  title,
  summary,
  file,
  rows,
  columns,
  keys = "points",
  heading: Heading = "h3",
  headingId,
  choices,
  children,
}: PictureProps<Row>) {
  const t = useTranslations("ui.picture");
  const ownId = useId();
  const titleId = headingId ?? ownId;
  const figure = useRef<HTMLElement>(null);
  const [isTable, setTable] = useState(false);
  return (
    <figure ref={figure} aria-labelledby={titleId} className="min-w-0">
      <div className="mb-2 flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <div className="flex min-w-0 items-baseline gap-1">
          <Heading id={titleId} className="min-w-0 text-body font-strong">
            {title}
          </Heading>
          {headingId ? (
            <span data-unsaved>
              <HeadingLink id={headingId} title={title} />
            </span>
          ) : null}
        </div>
        <div data-unsaved className="ml-auto flex flex-wrap justify-end gap-1 print:hidden">
          {choices}
          <button
            type="button"
            className="btn btn-quiet btn-dense"
            aria-expanded={isTable}
            aria-controls={isTable ? `${ownId}-table` : undefined}
            aria-describedby={titleId}
            onClick={() => setTable(!isTable)}
          >
            {t("table")}
          </button>
          <SaveButtons {...{ figure, file, title, summary, columns, rows }} />
        </div>
      </div>
      {keys === "points" ? (
        <Points label={`${title}. ${summary}`} rows={rows} columns={columns}>
          {children}
        </Points>
      ) : (
        children
      )}
      <figcaption className="mt-1 max-w-[80ch] text-dense text-muted">{summary}</figcaption>
      {isTable ? (
        <div data-unsaved>
          <PictureTable id={`${ownId}-table`} {...{ title, columns, rows }} />
        </div>
      ) : null}
    </figure>
  );
}

/** Arrow keys and the pointer go from point to point, which is told in words. */
function Points<Row>({
  label,
  rows,
  columns,
  children,
}: Pick<PictureProps<Row>, "rows" | "columns" | "children"> & { label: string }) {
  const t = useTranslations("ui.picture");
  const area = useRef<HTMLDivElement>(null);
  const [looked, look] = useState<number | null>(null);
  const row = looked === null ? undefined : rows[looked];
  useEffect(() => {
    if (looked === null) return;
    const marks = area.current?.querySelectorAll(`[data-point="${looked}"]`) ?? [];
    for (const mark of marks) mark.setAttribute("data-looked", "");
    return () => {
      for (const mark of marks) mark.removeAttribute("data-looked");
    };
  }, [looked]);
  const point = ({ target }: PointerEvent) => {
    const mark = target instanceof Element ? target.closest("[data-point]") : null;
    look(mark ? Number(mark.getAttribute("data-point")) : null);
  };
  const press = (event: KeyboardEvent) => {
    const next = nextPoint(event.key, looked, rows.length);
    if (next === undefined) return;
    event.preventDefault();
    look(next);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: points of a picture are no fields */}
      <div
        ref={area}
        role="group"
        aria-label={`${label} ${t("keys")}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys go from point to point
        tabIndex={0}
        onKeyDown={press}
        onPointerMove={point}
        onPointerLeave={() => look(null)}
        onBlur={() => look(null)}
        className="picture"
      >
        {children}
      </div>
      <p
        data-unsaved
        aria-live="polite"
        className="min-h-[1.4em] text-label text-muted print:hidden"
      >
        {row === undefined ? null : wordsOf(columns, row)}
      </p>
    </>
  );
}

/** Where a key leads; null away from all points, undefined where it means nothing. */
function nextPoint(key: string, now: number | null, count: number): number | null | undefined {
  if (count === 0) return undefined;
  const last = count - 1;
  if (key === "ArrowRight" || key === "ArrowDown")
    return now === null ? 0 : Math.min(last, now + 1);
  if (key === "ArrowLeft" || key === "ArrowUp") return now === null ? last : Math.max(0, now - 1);
  if (key === "Home") return 0;
  if (key === "End") return last;
  return key === "Escape" ? null : undefined;
}
