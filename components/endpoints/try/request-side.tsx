"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { ChoiceRow, StateMark } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import type { RequestProblem } from "../request/check-request";
import { formatJson } from "../request/format-json";
import type { TextChange } from "../request/json-tree";
import { FormView } from "./form-view";
import { ProblemNote } from "./problem-note";
import { TableView } from "./table-view";
import type { RequestEditor } from "./use-request-editor";

/** The ways to look at a request, by the words of the address. */
export const requestViews = ["form", "table", "json"] as const;
export type RequestView = (typeof requestViews)[number];

const JsonEditor = dynamic(() => import("./json-editor").then((module) => module.JsonEditor), {
  ssr: false,
  loading: () => <div className="well min-h-40" />,
});

/** The request in one of its views. What cannot be drawn as rows stays in the text, and is said. */
export function RequestSide({
  endpoint,
  editor,
  view,
  onView,
  onSend,
}: {
  endpoint: Endpoint;
  editor: RequestEditor;
  view: RequestView;
  onView: (view: RequestView) => void;
  onSend: () => void;
}) {
  const t = useTranslations("predictions");
  const { text, reading, grid, labels } = editor;
  const [shown, setShown] = useState<{ readonly at: number; readonly times: number } | null>(null);
  const faults = useMemo(() => new Set(reading.problems.map(({ from }) => from)), [reading]);
  const fix = ({ from, to, insert }: TextChange) =>
    editor.write(text.slice(0, from) + insert + text.slice(to));
  const show = ({ from }: RequestProblem) => {
    onView("json");
    setShown((before) => ({ at: from, times: (before?.times ?? 0) + 1 }));
  };
  return (
    <>
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-body">{t("request")}</h2>
        <ChoiceRow
          label={t("requestView")}
          choices={requestViews.map((id) => ({ id, label: t(`views.${id}`) }))}
          value={view}
          onChoose={onView}
        />
        <span id="request-state" role="status" className="min-w-0 text-dense">
          <StateMark
            appearance={
              reading.problems.length > 0
                ? {
                    tone: "bad",
                    label: t("problemCount", { count: reading.problems.length }),
                    why: "",
                  }
                : { tone: "ok", label: t("valid", { rows: reading.rows ?? 1 }), why: "" }
            }
          />
        </span>
      </div>
      {view === "json" ? (
        <JsonEditor
          value={text}
          inputs={endpoint.inputs}
          problems={reading.problems}
          shown={shown}
          onChange={editor.write}
          onSend={onSend}
        />
      ) : grid === null ? (
        <NotDrawn onJson={() => onView("json")} />
      ) : view === "form" ? (
        <FormView grid={grid} faults={faults} onText={editor.write} />
      ) : (
        <TableView
          grid={grid}
          labels={labels}
          classes={endpoint.labels}
          faults={faults}
          onText={editor.write}
          onRows={(next, of) => editor.replace(next, { labels: of, source: null })}
        />
      )}
      <ProblemNote problems={reading.problems} onFix={fix} onShow={show} />
      {view === "json" ? (
        <button
          type="button"
          className="btn btn-quiet btn-dense mt-1"
          onClick={() => editor.write(formatJson(text))}
        >
          {t("format")}
        </button>
      ) : null}
    </>
  );
}

function NotDrawn({ onJson }: { onJson: () => void }) {
  const t = useTranslations("predictions");
  return (
    <div className="well p-4">
      <p>{t("notDrawn")}</p>
      <button type="button" className="btn btn-dense mt-3" onClick={onJson}>
        {t("openJson")}
      </button>
    </div>
  );
}
