"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ChoiceRow, CopyButton, formatShape, saveFile } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { classView } from "../answer/class-view";
import { rowAnswer, widthOf } from "../answer/row-answer";
import { Scroller } from "../answer/scroller";
import { valueInWords } from "../answer/value-in-words";
import { formatJson } from "../request/format-json";
import type { Output, Prediction } from "../request/predict";
import { FloatComparison } from "./float-comparison";
import { RowChoice } from "./row-choice";
import type { Asked } from "./use-prediction";
import { WinnerLine } from "./winner-line";

const viewIds = ["classes", "values", "json"] as const;
type View = (typeof viewIds)[number];

/** What the endpoint answered: in words, as bars where it is about classes, as values, and as it came. */
export function Result({
  endpoint,
  prediction,
  asked,
}: {
  endpoint: Endpoint;
  prediction: Prediction;
  asked: Asked;
}) {
  const t = useTranslations("predictions");
  const { labels } = endpoint;
  const [chosenRow, setRow] = useState(0);
  const [chosen, setChosen] = useState<View | null>(null);
  const rows = Math.max(
    1,
    ...prediction.outputs.map((output) => Math.round(output.data.length / widthOf(output))),
  );
  const row = Math.min(chosenRow, rows - 1);
  const classes = classView(prediction.outputs, labels, row);
  const views = viewIds.filter((id) => id !== "classes" || classes !== null);
  const view = chosen !== null && views.includes(chosen) ? chosen : (views[0] ?? "values");
  return (
    <div>
      {rows > 1 ? <RowChoice label={t("row")} rows={rows} value={row} onChoose={setRow} /> : null}
      <WinnerLine
        answer={rowAnswer(prediction.outputs, labels, row)}
        expected={asked.labels?.[row] ?? null}
        labels={labels}
      />
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <ChoiceRow
          label={t("answerView")}
          choices={views.map((id) => ({ id, label: t(`answerViews.${id}`) }))}
          value={view}
          onChoose={setChosen}
        />
        <span className="flex flex-wrap">
          <CopyButton text={prediction.raw}>{t("copyAnswer")}</CopyButton>
          <button
            type="button"
            className="btn btn-quiet btn-dense"
            onClick={() =>
              saveFile(`${endpoint.name}-answer.json`, prediction.raw, "application/json")
            }
          >
            {t("downloadAnswer")}
          </button>
        </span>
      </div>
      {view === "classes" && classes ? <ClassBars classes={classes} /> : null}
      {view === "values" ? <Values outputs={prediction.outputs} labels={labels} row={row} /> : null}
      {view === "json" ? (
        <Scroller label={t("answerViews.json")} className="well max-h-[400px] p-3">
          <pre>{formatJson(prediction.raw)}</pre>
        </Scroller>
      ) : null}
      <FloatComparison endpoint={endpoint} prediction={prediction} asked={asked} row={row} />
    </div>
  );
}

function ClassBars({ classes }: { classes: NonNullable<ReturnType<typeof classView>> }) {
  const t = useTranslations("predictions");
  return (
    <>
      <ol
        aria-label={
          classes.winner === null ? t("classesNone") : t("classesBest", { name: classes.winner })
        }
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        className="grid max-h-[400px] grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1.5 overflow-y-auto"
      >
        {classes.bars.map(({ label, text, word, share, wins }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two classes may have one name, each has its index
          <li key={index} className="col-span-3 grid grid-cols-subgrid items-center">
            <span className={`max-w-40 truncate font-mono text-dense ${wins ? "font-strong" : ""}`}>
              {label}
            </span>
            <span aria-hidden="true" className="bar h-3.5!">
              <i
                className={`bar-fill ${wins ? "bg-accent!" : "bg-[color-mix(in_srgb,var(--info)_45%,transparent)]!"}`}
                style={{ width: `${Math.max(0.4, share * 100)}%` }}
              />
            </span>
            <span className={`text-right text-dense ${wins ? "font-strong" : ""}`}>
              {word ? t(`words.${word}`) : text}
            </span>
          </li>
        ))}
      </ol>
      {classes.winner === null ? (
        <p className="mt-2 text-dense text-muted">{t("noClassBest")}</p>
      ) : null}
    </>
  );
}

const mostValues = 200;

function Values({
  outputs,
  labels,
  row,
}: {
  outputs: readonly Output[];
  labels: readonly string[] | undefined;
  row: number;
}) {
  const t = useTranslations("predictions");
  return (
    <Scroller label={t("answerViews.values")} className="max-h-[400px]">
      {outputs.map((output) => {
        const width = widthOf(output);
        const values = output.data.slice(row * width, (row + 1) * width);
        return (
          <div key={output.name} className="mb-4">
            <p className="mb-1 text-dense">
              <code>{output.name}</code> {output.datatype} {formatShape(output.shape)}
            </p>
            <table className="table text-dense">
              <thead>
                <tr>
                  <th className="num">{t("index")}</th>
                  <th>{t("label")}</th>
                  <th className="num">{t("value")}</th>
                </tr>
              </thead>
              <tbody>
                {values.slice(0, mostValues).map((value, index) => {
                  const word = valueInWords(value);
                  return (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the index is the element's name
                    <tr key={index}>
                      <td className="num">{index}</td>
                      <td className="font-mono">
                        {labels?.[width === 1 ? Number(value) : index] ?? (
                          <span className="text-muted">–</span>
                        )}
                      </td>
                      <td className="num font-mono">{word ? t(`words.${word}`) : String(value)}</td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
            {values.length > mostValues ? (
              <p className="py-2 text-dense text-muted">
                {t("moreInJson", { count: values.length - mostValues })}
              </p>
            ) : null}
          </div>
        );
      })}
    </Scroller>
  );
}
