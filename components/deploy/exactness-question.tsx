"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { Term } from "@/components/glossary";
import { uploadRows } from "@/components/searches";
import { ErrorNote, formatBytes } from "@/components/ui";
import type { Inspection } from "@/lib/common/contract";
import type { Draft } from "./draft";
import { FileButton } from "./file-button";
import { inputCount } from "./input-count";
import { Question } from "./question";
import { givenRange } from "./range-draft";
import { useUpload } from "./use-upload";

// Only engines that make integers of a model have bits to search for.
const BitsSearch = dynamic(
  () => import("@/components/searches").then((module) => module.BitsSearch),
  { ssr: false },
);

/** What ranges come from, and how few bits still do: for engines that make integers of a model. */
export function ExactnessQuestion({
  draft,
  searches,
  facts,
  complaint,
  onEdit,
}: {
  draft: Draft;
  /** Whether the engine has bits to search for. */
  searches: boolean;
  facts: Inspection | undefined;
  complaint: string | undefined;
  onEdit: (part: Partial<Draft>) => void;
}) {
  const t = useTranslations("deploy.exact");
  const inputs = facts ? inputCount(facts) : null;
  const { calibration, options } = draft;
  const inputRange = givenRange(draft);
  const url = draft.url.trim();
  return (
    <Question
      number="+"
      title={<Term id="quantisation">{t("title")}</Term>}
      field="calibration"
      complaint={complaint}
    >
      <RowsLine
        value={calibration}
        inputs={inputs}
        hasRange={facts?.card?.["inputRange"] !== undefined}
        onChange={(value) => onEdit({ calibration: value })}
      />
      {searches ? (
        <BitsSearch
          request={
            facts && draft.board
              ? {
                  model: { url },
                  board: draft.board.model,
                  options: { ...options },
                  ...(inputRange ? { inputRange } : {}),
                  ...(calibration
                    ? { calibration: { url: calibration.url, name: calibration.name } }
                    : {}),
                }
              : null
          }
          onUse={({ inputBits, weightBits, activationBits }) =>
            onEdit({
              options: {
                ...options,
                inputBits,
                weightBits: weightBits.length === 1 ? weightBits[0] : weightBits,
                activationBits,
              },
            })
          }
        />
      ) : null}
    </Question>
  );
}

function RowsLine({
  value,
  inputs,
  hasRange,
  onChange,
}: {
  value: Draft["calibration"];
  inputs: number | null;
  hasRange: boolean;
  onChange: (value: Draft["calibration"]) => void;
}) {
  const t = useTranslations("deploy.exact");
  const { file, start, stop } = useUpload(async (chosen, options) => {
    if (inputs === null) return null;
    const { url, name, understood } = await uploadRows(chosen, inputs, options);
    return { url, name, understood, inputs };
  }, onChange);
  return (
    <div>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-2">
        <FileButton
          label={t("rows")}
          accept=".csv,.txt,.tsv,.npy"
          className="btn btn-dense"
          isDisabled={inputs === null || file?.state === "sending"}
          onChoose={(chosen) => void start(chosen)}
        >
          {value ? t("otherRows") : t("addRows")}
        </FileButton>
        {file?.state === "sending" ? (
          <>
            <span className="text-dense">
              {t(file.share < 1 ? "sent" : "beingRead", {
                name: file.name,
                size: formatBytes(file.sizeBytes),
                percent: Math.round(file.share * 100),
              })}
            </span>
            <button type="button" className="btn btn-quiet btn-dense" onClick={stop}>
              {t("stop")}
            </button>
          </>
        ) : value ? (
          <>
            <span className="min-w-0 text-dense break-words">
              {t.rich("is", {
                name: value.name,
                understood: value.understood,
                b: (words) => <b>{words}</b>,
              })}
            </span>
            <button
              type="button"
              className="btn btn-quiet btn-dense"
              onClick={() => onChange(null)}
            >
              {t("remove")}
            </button>
          </>
        ) : (
          <span className="text-dense text-muted">{t("kinds")}</span>
        )}
      </div>
      {file?.state === "failed" ? (
        <div className="mt-2">
          <ErrorNote title={t("notTaken", { name: file.name })} error={file.error} />
        </div>
      ) : null}
      <p className="mt-2 max-w-[72ch] text-dense text-muted">
        {value ? t("fromRows") : hasRange ? t("fromCard") : t("fromNothing")}
      </p>
    </div>
  );
}
