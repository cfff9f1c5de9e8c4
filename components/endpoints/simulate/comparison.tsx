import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { formatCount, ToneIcon, Unknown } from "@/components/ui";
import type { CoreAnswer } from "@/simulator/run";
import type { Prediction, Refusal } from "../request/predict";
import { type ComparedValue, compareRow } from "./compare";
import { type CoreManifest, readAnswer } from "./rows";

const mostValues = 200;

/** The design's answer beside the endpoint's, and its cycles beside the schedule's. */
export function Comparison({
  manifest,
  answer,
  endpointAnswer,
  row,
  labels,
}: {
  manifest: CoreManifest;
  answer: CoreAnswer;
  /** What the endpoint answered to the request that holds this row. */
  endpointAnswer: Prediction | Refusal | null;
  row: number;
  labels: readonly string[] | undefined;
}) {
  const t = useTranslations("simulate.comparison");
  const outputs = endpointAnswer?.ok ? endpointAnswer.outputs : null;
  const values = compareRow(readAnswer(manifest, answer.output), outputs, row);
  const isAlone = manifest.io.outputs.length === 1;
  // On a phone the label alone names a value.
  const narrow = labels && isAlone ? "max-tablet:hidden" : "";
  return (
    <section aria-label={t("title")} className="mt-5">
      <div className="flex flex-wrap gap-x-10 gap-y-1">
        <Verdict values={values} endpointAnswer={endpointAnswer} />
        <Cycles cycles={answer.cycles} core={manifest.core} />
      </div>
      <section
        aria-label={t("values")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        className="mt-2 max-h-[440px] max-w-[640px] overflow-auto"
      >
        <table className="table text-dense">
          <thead>
            <tr>
              <th className={narrow}>{(isAlone && values[0]?.output) || t("output")}</th>
              {labels ? <th>{t("label")}</th> : null}
              <th className="num">{t("here")}</th>
              <th className="num">{t("endpoint")}</th>
            </tr>
          </thead>
          <tbody>
            {values.slice(0, mostValues).map(({ output, index, here, there, equal }) => (
              <tr key={`${output} ${index}`}>
                <td className={`font-mono ${narrow}`}>{isAlone ? index : `${output}[${index}]`}</td>
                {labels ? <td className="font-mono">{labels[index] ?? <Unknown />}</td> : null}
                <td className="num font-mono">{here}</td>
                <td className={`num font-mono ${equal === false ? "text-bad" : ""}`}>
                  {there ?? <Unknown />}
                  {equal === false ? " ≠" : ""}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {values.length > mostValues ? (
        <p className="mt-1 text-dense text-muted">
          {t("more", {
            count: values.length - mostValues,
            values: formatCount(values.length - mostValues),
          })}
        </p>
      ) : null}
    </section>
  );
}

const bold = (text: ReactNode) => <b>{text}</b>;

function Verdict({
  values,
  endpointAnswer,
}: {
  values: readonly ComparedValue[];
  endpointAnswer: Prediction | Refusal | null;
}) {
  const t = useTranslations("simulate.comparison");
  const known = values.filter(({ equal }) => equal !== null);
  const different = known.filter(({ equal }) => equal === false).length;
  if (endpointAnswer?.ok === false) {
    return (
      <p className="flex items-baseline gap-2 text-muted">
        <ToneIcon tone="info" />
        {t("failed", { message: endpointAnswer.message ?? "" })}
      </p>
    );
  }
  if (known.length < values.length) {
    return <p className="text-muted">{t("unknown")}</p>;
  }
  return different === 0 ? (
    <p className="flex items-baseline gap-2">
      <ToneIcon tone="ok" />
      <span>{t.rich("equal", { b: bold })}</span>
    </p>
  ) : (
    <p className="flex items-baseline gap-2">
      <ToneIcon tone="bad" />
      <span>
        {t.rich("different", {
          b: bold,
          count: different,
          different: formatCount(different),
          total: formatCount(values.length),
        })}
      </span>
    </p>
  );
}

function Cycles({ cycles, core }: { cycles: number; core: CoreManifest["core"] }) {
  const t = useTranslations("simulate.comparison");
  const planned = core.latencyCycles;
  const key = core.latencyVaries ? "cyclesMost" : cycles === planned ? "cycles" : "cyclesOther";
  return (
    <p>
      {t.rich(key, {
        b: (text) => <b className="text-copper">{text}</b>,
        count: cycles,
        cycles: formatCount(cycles),
        planned: formatCount(planned),
      })}
    </p>
  );
}
