"use client";

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Endpoint } from "@/lib/common/contract";
import { type RequestReading, readRequest } from "../request/request-document";
import { gridOf, type RequestGrid } from "../request/request-grid";
import { sampleText } from "../request/sample-text";
import { readDraft, writeDraft } from "./read-draft";

/** What is expected of each row: the index of a class, or nothing. */
export type Labels = readonly (number | null)[];

/** The request that is being written. The text is the document; form and table are drawn from it and write into it. */
export interface RequestEditor {
  readonly text: string;
  readonly reading: RequestReading;
  /** Null where the text has no rows that could be drawn. */
  readonly grid: RequestGrid | null;
  /** Null: nothing is known of what to expect. */
  readonly labels: Labels | null;
  /** Where the rows come from, such as `test.csv, rows 3 to 7`; null: from whoever types. */
  readonly source: string | null;
  /** Takes a text that somebody typed; labels stay while the rows do. */
  write(text: string): void;
  /** Takes a text from a source, with what is expected of it. */
  replace(
    text: string,
    from: { readonly labels: Labels | null; readonly source: string | null },
  ): void;
}

interface Written {
  readonly text: string;
  readonly labels: Labels | null;
  readonly source: string | null;
}

/** Begins with what was being written when the page was left, else with the endpoint's sample. */
export function useRequestEditor(endpoint: Endpoint): RequestEditor {
  const { sample, inputs, maxBatchSize } = endpoint;
  const untouched = useMemo(() => sampleText({ sample, inputs }), [sample, inputs]);
  const [written, setWritten] = useState<Written>(() => ({
    text: readDraft(endpoint.name) ?? untouched,
    labels: null,
    source: null,
  }));
  const reading = useMemo(
    () =>
      readRequest(written.text, {
        inputs,
        ...(maxBatchSize === undefined ? {} : { maxBatchSize }),
      }),
    [written.text, inputs, maxBatchSize],
  );
  const grid = useMemo(
    () => (reading.document ? gridOf(reading.document, endpoint) : null),
    [reading.document, endpoint],
  );
  useDraft(endpoint.name, written.text === untouched ? null : written.text);
  const write = useCallback((text: string) => {
    setWritten((before) => ({ ...before, text, source: null }));
  }, []);
  const replace = useCallback<RequestEditor["replace"]>((text, from) => {
    setWritten({ text, ...from });
  }, []);
  // Labels of other rows say nothing of these.
  const fits = written.labels === null || (grid && written.labels.length === grid.rows);
  return { ...written, labels: fits ? written.labels : null, reading, grid, write, replace };
}

/**
 * Keeps a text a moment after it was written, and what was written last when the page is left. Null: nothing but the
 * sample, which the next revision may change.
 */
function useDraft(endpoint: string, text: string | null): void {
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
    const timer = setTimeout(() => writeDraft(endpoint, text), 300);
    return () => clearTimeout(timer);
  }, [endpoint, text]);
  useEffect(() => {
    const keep = () => writeDraft(endpoint, latest.current);
    window.addEventListener("pagehide", keep);
    return () => {
      window.removeEventListener("pagehide", keep);
      keep();
    };
  }, [endpoint]);
}
