"use client";

import { useTranslations } from "next-intl";
import { type DragEvent, type ReactNode, useRef, useState } from "react";
import { ErrorNote, formatBytes, formatCount } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { editorLimits, requestFromFile } from "../request/request-from-file";
import { randomText, sampleGrid, sampleText } from "../request/sample-text";
import { TestRowsPicker } from "./test-rows-picker";
import type { RequestEditor } from "./use-request-editor";

/** Where a request can come from: the sample, chance, test rows, or a file that is chosen or dropped on what is inside. */
export function SourcesBar({
  endpoint,
  editor,
  onJson,
  children,
}: {
  endpoint: Endpoint;
  editor: RequestEditor;
  /** A file that is no table was read: its text can be seen in the JSON view alone. */
  onJson: () => void;
  children: ReactNode;
}) {
  const t = useTranslations("predictions");
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [isPicking, setPicking] = useState(false);
  const [note, setNote] = useState<string | null>(null);
  const [failed, setFailed] = useState<{ readonly error: unknown; readonly text: string } | null>(
    null,
  );
  const put = (text: string, source: string | null) => {
    setFailed(null);
    setNote(null);
    editor.replace(text, { labels: null, source });
  };
  const read = async (file: File | undefined) => {
    if (!file) return;
    try {
      if (file.size > editorLimits.fileBytes) throw tooLarge(file);
      const bytes = new Uint8Array(await file.arrayBuffer());
      const { text, labels, taken, total } = requestFromFile({ name: file.name, bytes }, endpoint);
      setFailed(null);
      editor.replace(text, { labels, source: file.name });
      if (total === 0) onJson();
      setNote(
        total > taken
          ? t("takenOf", { taken: formatCount(taken), total: formatCount(total) })
          : null,
      );
    } catch (error) {
      // What was refused is told until something else is written.
      setFailed({ error, text: editor.text });
    }
  };
  const tooLarge = (file: File) =>
    new Error(
      t("fileTooLarge", {
        name: file.name,
        size: formatBytes(file.size),
        most: formatBytes(editorLimits.fileBytes),
      }),
    );
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void read(event.dataTransfer.files[0]);
  };
  return (
    <section
      aria-label={t("request")}
      className={`min-w-0 rounded-control ${isOver ? "outline-2 outline-offset-4 outline-accent outline-dashed" : ""}`}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
      <fieldset className="mt-3 flex flex-wrap items-center gap-2">
        <legend className="sr-only">{t("sources")}</legend>
        <button
          type="button"
          className="btn btn-dense"
          onClick={() => put(sampleText(endpoint), t("sourceSample"))}
        >
          {t("sample")}
        </button>
        <button
          type="button"
          className="btn btn-dense"
          onClick={() => {
            const grid = editor.grid ?? sampleGrid(endpoint);
            if (grid) put(randomText(grid, endpoint, Math.random), t("sourceRandom"));
          }}
        >
          {t("random")}
        </button>
        <button
          type="button"
          className="btn btn-dense"
          aria-expanded={isPicking}
          onClick={() => setPicking(!isPicking)}
        >
          {t("testRows")}
        </button>
        <button type="button" className="btn btn-dense" onClick={() => input.current?.click()}>
          {t("file")}
        </button>
        <input
          ref={input}
          type="file"
          accept=".json,.csv,.tsv,.txt,.npy"
          className="sr-only"
          tabIndex={-1}
          aria-label={t("file")}
          onChange={(event) => {
            void read(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
        <span className="text-dense text-muted">
          {editor.source ?? t("fileHint", { most: formatCount(editorLimits.values) })}
        </span>
      </fieldset>
      {isPicking ? <TestRowsPicker endpoint={endpoint} onReplace={editor.replace} /> : null}
      {note ? (
        <p role="status" className="mt-2 text-dense">
          {note}
        </p>
      ) : null}
      {failed?.text !== editor.text ? null : (
        <div className="mt-2">
          <ErrorNote title={t("fileFailed")} error={failed.error} />
        </div>
      )}
    </section>
  );
}
