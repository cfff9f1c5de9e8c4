"use client";

import { useState } from "react";
import { ChoiceRow, CopyButton, formatShape } from "@/components/ui";
import { type Prediction, parseLossless } from "../request/predict";
import { formatRequest } from "../request/sample-request";
import { classView } from "./class-view";
import { valueInWords } from "./value-in-words";

type View = "classes" | "values" | "json";
const names = { classes: "Classes", values: "Values", json: "JSON" } as const;

/** What the endpoint answered: bars where it is about classes, values always, and the answer as it came. */
export function Result({
  prediction,
  labels,
}: {
  prediction: Prediction;
  labels: readonly string[] | undefined;
}) {
  const [row, setRow] = useState(0);
  const classes = classView(prediction.outputs, labels, row);
  const [chosen, setChosen] = useState<View | null>(null);
  const view = chosen ?? (classes ? "classes" : "values");
  const views = (
    classes ? (["classes", "values", "json"] as const) : (["values", "json"] as const)
  ).map((id) => ({ id, label: names[id] }));
  return (
    <div>
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <ChoiceRow label="View of the answer" choices={views} value={view} onChoose={setChosen} />
        <CopyButton text={prediction.raw}>Copy answer</CopyButton>
      </div>
      {view === "classes" && classes ? (
        <>
          {classes.rows > 1 ? (
            <label className="mb-2 flex items-center gap-2 text-dense">
              Row
              <select
                className="field h-8 w-24 text-dense"
                value={row}
                onChange={(event) => setRow(Number(event.target.value))}
              >
                {Array.from({ length: Math.min(classes.rows, 1000) }, (_, index) => index).map(
                  (index) => (
                    <option key={index} value={index}>
                      {index + 1}
                    </option>
                  ),
                )}
              </select>
            </label>
          ) : null}
          <ClassBars classes={classes} />
          {classes.winner === null ? (
            <p className="mt-2 text-dense text-muted">
              No class is best: the model answered with what is not a number.
            </p>
          ) : null}
        </>
      ) : view === "json" ? (
        <pre className="well max-h-[400px] overflow-auto p-3">
          {formatRequest(parseLossless(prediction.raw))}
        </pre>
      ) : (
        <Values prediction={prediction} labels={labels} />
      )}
    </div>
  );
}

function ClassBars({ classes }: { classes: NonNullable<ReturnType<typeof classView>> }) {
  return (
    <ol
      aria-label={
        classes.winner === null ? "Classes, none is best" : `Classes, best is ${classes.winner}`
      }
      className="grid max-h-[400px] grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1.5 overflow-y-auto"
    >
      {classes.bars.map(({ label, text, share, wins }) => (
        <li key={label} className="col-span-3 grid grid-cols-subgrid items-center">
          <span className={`max-w-40 truncate font-mono text-dense ${wins ? "font-strong" : ""}`}>
            {label}
          </span>
          <span aria-hidden="true" className="bar h-3.5!">
            <i
              className={`bar-fill ${wins ? "bg-accent!" : "bg-[color-mix(in_srgb,var(--info)_45%,transparent)]!"}`}
              style={{ width: `${Math.max(0.4, share * 100)}%` }}
            />
          </span>
          <span className={`text-right text-dense ${wins ? "font-strong" : ""}`}>{text}</span>
        </li>
      ))}
    </ol>
  );
}

const mostRows = 200;

function Values({
  prediction,
  labels,
}: {
  prediction: Prediction;
  labels: readonly string[] | undefined;
}) {
  return (
    <div className="max-h-[400px] overflow-auto">
      {prediction.outputs.map((output) => {
        const width =
          output.shape.length < 2 ? 1 : output.shape.slice(1).reduce((a, b) => a * b, 1);
        return (
          <div key={output.name} className="mb-4">
            <p className="mb-1 text-dense">
              <code>{output.name}</code> {output.datatype} {formatShape(output.shape)}
            </p>
            <table className="table text-dense">
              <thead>
                <tr>
                  <th className="num">Index</th>
                  <th>Label</th>
                  <th className="num">Value</th>
                </tr>
              </thead>
              <tbody>
                {output.data.slice(0, mostRows).map((value, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the index is the element's name
                  <tr key={index}>
                    <td className="num">{index}</td>
                    <td className="font-mono">
                      {labels?.[width === 1 ? Number(value) : index % width] ?? (
                        <span className="text-muted">–</span>
                      )}
                    </td>
                    <td className="num font-mono">{valueInWords(value)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {output.data.length > mostRows ? (
              <p className="py-2 text-dense text-muted">
                {output.data.length - mostRows} more in the JSON view.
              </p>
            ) : null}
          </div>
        );
      })}
    </div>
  );
}
