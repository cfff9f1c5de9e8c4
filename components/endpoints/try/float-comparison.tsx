"use client";

import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ErrorNote, formatNs, shortDigest, ToneIcon } from "@/components/ui";
import type { Endpoint, FloatAnswer } from "@/lib/common/contract";
import { compareValues, showValue } from "../answer/compare-values";
import { rowAnswer } from "../answer/row-answer";
import { Scroller } from "../answer/scroller";
import { askFloat } from "../api";
import { type Output, type Prediction, predict, readAnswer } from "../request/predict";
import type { Asked } from "./use-prediction";

/** What the model itself answers, and the endpoint that serves the same file on a CPU, if one does. */
interface Compared {
  readonly float: FloatAnswer;
  readonly outputs: readonly Output[];
  readonly cpu: Prediction | null;
}

async function compare(endpoint: Endpoint, { text }: Asked): Promise<Compared> {
  const float = await askFloat(endpoint.name, text);
  const read = readAnswer({
    status: 200,
    requestId: null,
    raw: float.answer,
    totalNs: float.runNs,
  });
  const outputs = read.ok ? read.outputs : [];
  if (!float.cpu || float.cpu.name === endpoint.name) return { float, outputs, cpu: null };
  const target = { name: float.cpu.name, revision: null, protocol: "json" as const };
  const cpu = await predict(target, text, new AbortController().signal).catch(() => null);
  return { float, outputs, cpu: cpu?.ok ? cpu : null };
}

/** The float model's answer to the same request, asked for by a button; beside it what a CPU that serves the file answers. */
export function FloatComparison({
  endpoint,
  prediction,
  asked,
  row,
}: {
  endpoint: Endpoint;
  prediction: Prediction;
  asked: Asked;
  row: number;
}) {
  const t = useTranslations("predictions");
  const comparison = useMutation({ mutationFn: () => compare(endpoint, asked) });
  const { data, error, isPending } = comparison;
  return (
    <section aria-label={t("floatTitle")} className="mt-6 border-t border-line pt-4">
      <div className="flex flex-wrap items-center gap-3">
        <button
          type="button"
          className="btn btn-dense"
          disabled={isPending}
          onClick={() => comparison.mutate()}
        >
          {isPending ? t("floatAsking") : data ? t("floatAgain") : t("floatAsk")}
        </button>
        {data ? null : (
          <span className="min-w-0 flex-1 text-dense text-muted">{t("floatHint")}</span>
        )}
      </div>
      {error ? (
        <div className="mt-3">
          <ErrorNote title={t("floatFailed")} error={error} />
        </div>
      ) : null}
      {data ? <FloatTable compared={data} {...{ endpoint, prediction, row }} /> : null}
    </section>
  );
}

const mostValues = 100;

function FloatTable({
  endpoint: { labels },
  prediction,
  compared: { float, outputs, cpu },
  row,
}: {
  endpoint: Endpoint;
  prediction: Prediction;
  compared: Compared;
  row: number;
}) {
  const t = useTranslations("predictions");
  const own = rowAnswer(prediction.outputs, labels, row);
  const { values, largest, sameClass } = compareValues(own, rowAnswer(outputs, labels, row));
  const beside = cpu ? rowAnswer(cpu.outputs, labels, row).values : null;
  return (
    <>
      <p className="mt-3 flex items-baseline gap-2">
        <ToneIcon tone={sameClass === false ? "warn" : "ok"} />
        <span>
          {sameClass === null ? null : `${t(sameClass ? "sameClass" : "otherClass")} `}
          {largest === null ? null : t("largestDifference", { value: largest.toPrecision(3) })}
        </span>
      </p>
      <p className="mt-1 text-dense text-muted">
        {t("floatBy", {
          runtime: float.runtime,
          time: formatNs(float.runNs),
          digest: shortDigest(float.modelDigest),
        })}{" "}
        {cpu && float.cpu
          ? t("cpuBy", {
              name: float.cpu.name,
              time: formatNs(cpu.timing.computeNs ?? cpu.totalNs),
            })
          : t("noCpu")}
      </p>
      <Scroller label={t("floatValues")} className="mt-2 max-h-[360px]">
        <table className="table text-dense">
          <thead>
            <tr>
              <th className="num">{t("index")}</th>
              {labels ? <th>{t("label")}</th> : null}
              <th className="num">{t("thisEndpoint")}</th>
              <th className="num">{t("floatModel")}</th>
              <th className="num">{t("difference")}</th>
              {beside ? <th className="num">{t("cpu")}</th> : null}
            </tr>
          </thead>
          <tbody>
            {values.slice(0, mostValues).map(({ index, endpoint, float: other, difference }) => (
              <tr key={index}>
                <td className="num">{index}</td>
                {labels ? <td className="font-mono">{labels[index] ?? "–"}</td> : null}
                <td className="num font-mono">{endpoint}</td>
                <td className="num font-mono">{other}</td>
                <td className="num font-mono">
                  {difference === null ? "–" : difference === 0 ? "0" : difference.toPrecision(3)}
                </td>
                {beside ? <td className="num font-mono">{showValue(beside[index])}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
        {values.length > mostValues ? (
          <p className="py-2 text-dense text-muted">
            {t("moreValues", { count: values.length - mostValues })}
          </p>
        ) : null}
      </Scroller>
    </>
  );
}
