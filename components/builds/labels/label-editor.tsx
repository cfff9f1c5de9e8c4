"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { type Build, longestLabel, mostLabels } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { setLabels } from "../api";

interface LabelEditorProps {
  readonly build: Build;
  readonly onClose: () => void;
}

/** One line with the labels of a build, a comma between them: what is typed stays where it is refused. */
export function LabelEditor({ build: { id, labels }, onClose }: LabelEditorProps) {
  const t = useTranslations("builds.labels");
  const field = useId();
  const client = useQueryClient();
  const [text, setText] = useState(labels.join(", "));
  const save = useMutation({
    mutationFn: () =>
      setLabels(
        id,
        text
          .split(",")
          .map((label) => label.trim())
          .filter((label) => label !== ""),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["builds"] });
      onClose();
    },
  });
  return (
    <form
      className="mt-2 grid gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) save.mutate();
      }}
      onKeyDown={({ key }) => {
        if (key === "Escape") onClose();
      }}
    >
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={field} className="label">
          {t("title")}
        </label>
        <input
          id={field}
          // The button that opened it is gone: who pressed it goes on here.
          ref={(input) => {
            if (input && document.activeElement === document.body) input.focus();
          }}
          className="field h-8 min-w-0 flex-1 basis-56 text-dense"
          value={text}
          aria-invalid={save.isError}
          aria-describedby={`${field}-hint`}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit" className="btn btn-dense" disabled={save.isPending}>
          {t("save")}
        </button>
        <button type="button" className="btn btn-quiet btn-dense" onClick={onClose}>
          {t("discard")}
        </button>
      </div>
      <p id={`${field}-hint`} role={save.isError ? "alert" : undefined} className="text-dense">
        {save.isError ? (
          <span className="text-bad">
            {isAppError(save.error) ? save.error.message : t("failed")}
          </span>
        ) : (
          <span className="text-muted">
            {t("hint", { most: mostLabels, longest: longestLabel })}
          </span>
        )}
      </p>
    </form>
  );
}
