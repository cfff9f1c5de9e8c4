"use client";

import { useTranslations } from "next-intl";
import { type RefObject, useState } from "react";
import type { PictureColumn } from "./columns";

const formats = ["png", "svg", "csv"] as const;

/** Saves a picture as PNG or SVG, and its points as CSV; what draws them is loaded at the first press. */
export function SaveButtons<Row>({
  figure,
  file,
  title,
  summary,
  columns,
  rows,
}: {
  figure: RefObject<HTMLElement | null>;
  /** Name of the file without its ending. */
  file: string;
  title: string;
  summary: string;
  columns: readonly PictureColumn<Row>[];
  rows: readonly Row[];
}) {
  const t = useTranslations("ui.picture");
  const [isOpen, setOpen] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const save = async (format: (typeof formats)[number]) => {
    setFailed(false);
    try {
      const { savePicture } = await import("./save-picture");
      if (figure.current)
        await savePicture(format, { figure: figure.current, file, title, summary, columns, rows });
    } catch {
      setFailed(true);
    }
  };
  return (
    <>
      {hasFailed ? (
        <span role="alert" className="self-center text-dense text-bad">
          {t("notSaved")}
        </span>
      ) : null}
      {isOpen
        ? formats.map((format) => (
            <button
              key={format}
              type="button"
              className="btn btn-quiet btn-dense"
              aria-label={t("saveAs", { format: format.toUpperCase(), title })}
              onClick={() => void save(format)}
            >
              {format.toUpperCase()}
            </button>
          ))
        : null}
      <button
        type="button"
        className="btn btn-quiet btn-dense"
        aria-expanded={isOpen}
        aria-label={t("saveOf", { title })}
        onClick={() => setOpen(!isOpen)}
      >
        {t("save")}
      </button>
    </>
  );
}
