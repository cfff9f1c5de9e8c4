"use client";

import { BitsSearch, uploadRows } from "@/components/searches";
import { ErrorNote, formatBytes } from "@/components/ui";
import type { Inspection } from "@/lib/common/contract";
import type { Draft } from "./draft";
import { FileButton } from "./file-button";
import { inputCount } from "./input-count";
import { Question } from "./question";
import { givenRange } from "./range-draft";
import { useUpload } from "./use-upload";

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
  const inputs = facts ? inputCount(facts) : null;
  const { calibration, options } = draft;
  const inputRange = givenRange(draft);
  const url = draft.url.trim();
  return (
    <Question number="+" title="How exact?" field="calibration" complaint={complaint}>
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
  const { file, start, stop } = useUpload(async (chosen, options) => {
    if (inputs === null) return null;
    const { url, name, understood } = await uploadRows(chosen, inputs, options);
    return { url, name, understood, inputs };
  }, onChange);
  return (
    <div>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-2">
        <FileButton
          label="Rows to calibrate with"
          accept=".csv,.txt,.tsv,.npy"
          className="btn btn-dense"
          isDisabled={inputs === null || file?.state === "sending"}
          onChoose={(chosen) => void start(chosen)}
        >
          {value ? "Other rows" : "Add rows"}
        </FileButton>
        {file?.state === "sending" ? (
          <>
            <span className="text-dense">
              {file.name}, {formatBytes(file.sizeBytes)}:{" "}
              {file.share < 1 ? `${Math.round(file.share * 100)} % sent` : "being read"}
            </span>
            <button type="button" className="btn btn-quiet btn-dense" onClick={stop}>
              Stop
            </button>
          </>
        ) : value ? (
          <>
            <span className="min-w-0 text-dense break-words">
              <b>{value.name}</b> is {value.understood}
            </span>
            <button
              type="button"
              className="btn btn-quiet btn-dense"
              onClick={() => onChange(null)}
            >
              Remove the rows
            </button>
          </>
        ) : (
          <span className="text-dense text-muted">CSV or .npy, up to 64 MiB</span>
        )}
      </div>
      {file?.state === "failed" ? (
        <div className="mt-2">
          <ErrorNote title={`${file.name} was not taken.`} error={file.error} />
        </div>
      ) : null}
      <p className="mt-2 max-w-[72ch] text-dense text-muted">
        {value
          ? "Ranges come from these rows. Rows beside the model (test.csv) measure the result; without such, every second row does."
          : hasRange
            ? "Ranges come from the model's card. Rows of yours fit them to what you will send."
            : "Without rows of yours, ranges come from test.csv beside the model, or from made-up rows, and the report says so."}
      </p>
    </div>
  );
}
