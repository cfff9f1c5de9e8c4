import { useTranslations } from "next-intl";
import { useState } from "react";
import type { EngineSummary, Inspection } from "@/lib/common/contract";
import type { AppError } from "@/lib/common/errors";
import { keysOf } from "@/lib/common/records";
import type { BoardVerdict } from "./board-verdict";
import {
  type Complaints,
  type ComplaintTexts,
  complaintsAbout,
  type Draft,
  type FieldName,
  fieldOfError,
} from "./draft";
import { featureComplaint } from "./feature-draft";
import { inputCount } from "./input-count";
import { complaintAboutLayers } from "./layer-values";
import { complaintAboutRange } from "./missing-range";
import { optionFields } from "./option-fields";

/** The questions that are looked at when the form is sent. */
const asked = [
  "model",
  "engine",
  "board",
  "name",
  "options",
  "range",
  "features",
] as const satisfies FieldName[];

export type Complaining = ReturnType<typeof useComplaints>;

interface Circumstances {
  /** Names of the endpoints there are. */
  readonly taken: readonly string[];
  /** Of the model, once it was read. */
  readonly facts: Inspection | undefined;
  /** Whether the model was asked for, and could not be read. */
  readonly isUnreadable: boolean;
  /** On the chosen board. */
  readonly verdict: BoardVerdict | undefined;
  readonly engine: EngineSummary | undefined;
  /** Why the chosen engine cannot take the model. */
  readonly engineRefusal: string | null;
  /** Whether the model becomes firmware, whose numbers hold a range. */
  readonly isFirmware: boolean;
  /** Whether the chosen board was there and is there no more. */
  readonly isBoardGone: boolean;
}

/**
 * What is wrong with the draft, and how much of it is shown: what is about questions somebody answered, all of it once the form
 * was sent, and what the server refused.
 */
export function useComplaints(draft: Draft, circumstances: Circumstances) {
  const t = useTranslations("deploy");
  const texts = useTranslations("deploy.complaints");
  const found = {
    ...allComplaints(draft, circumstances, texts),
    ...knownRefusals(circumstances, t),
  };
  const [touched, setTouched] = useState<ReadonlySet<FieldName>>(new Set());
  const [refused, setRefused] = useState<AppError | null>(null);
  const touch = (...fields: readonly FieldName[]) =>
    setTouched((was) => new Set([...was, ...fields]));
  const isShown = (field: FieldName) =>
    (field === "name" && draft.named && draft.name !== "") ||
    (field === "board" && circumstances.isBoardGone) ||
    touched.has(field);

  const refusedField = fieldOfError(refused?.field);
  const shown: Complaints = {
    ...Object.fromEntries(
      keysOf(found).flatMap((field) => (isShown(field) ? [[field, found[field]]] : [])),
    ),
    ...(refused && refusedField ? { [refusedField]: sentenceOf(refused) } : {}),
  };
  return {
    shown,
    /** Whether they are told above the form too. */
    summed: refused !== null || touched.size >= asked.length,
    /** A refusal that belongs to no question. */
    refusedWhole: refusedField ? null : refused,
    isFree: Object.keys(found).length === 0,
    touch,
    touchAll: () => touch(...asked),
    refuse: setRefused,
    forgive: () => setRefused(null),
  };
}

function allComplaints(draft: Draft, circumstances: Circumstances, t: ComplaintTexts): Complaints {
  const { taken, facts, engine, engineRefusal, isFirmware } = circumstances;
  return {
    ...(engineRefusal === null ? {} : { engine: `${draft.engine}: ${engineRefusal}` }),
    ...complaintsAbout(draft, taken, t),
    ...complaintAboutLoads(draft, engine, t),
    ...complaintAboutRows(draft, facts, t),
    ...complaintAboutOptions(draft, { facts, engine }, t),
    ...complaintAboutFeatures(draft, facts, t),
    ...(isFirmware ? complaintAboutRange(draft, facts, t) : {}),
  };
}

/** What the server would refuse, as far as it is known here. */
function knownRefusals(
  { isUnreadable, verdict, isBoardGone }: Circumstances,
  t: ReturnType<typeof useTranslations<"deploy">>,
): Complaints {
  const isTooSmall = verdict?.kind === "lacks" && verdict.isSure;
  return {
    ...(isUnreadable ? { model: t("unreadable") } : {}),
    ...(isBoardGone ? { board: t("complaints.boardGone") } : {}),
    ...(isTooSmall ? { board: t("doesNotFit", { lack: verdict.lack }) } : {}),
  };
}

/** Rows that were understood for another model. */
function complaintAboutRows(
  { calibration }: Draft,
  facts: Inspection | undefined,
  t: ComplaintTexts,
): Complaints {
  const inputs = facts ? inputCount(facts) : null;
  if (!calibration || !facts || calibration.inputs === null || inputs === calibration.inputs)
    return {};
  return {
    calibration: t("rows", {
      name: calibration.name,
      given: calibration.inputs,
      inputs: inputs === null ? "none" : String(inputs),
    }),
  };
}

/** A real board that could not load what the engine makes: told before a build, not after it. */
function complaintAboutLoads(
  { board }: Draft,
  engine: EngineSummary | undefined,
  t: ComplaintTexts,
): Complaints {
  if (!engine || !board || !("id" in board) || !board.loads) return {};
  if (engine.loads.includes(board.loads)) return {};
  return { board: t("loads", { engine: engine.id }) };
}

/** Names and ranges of single inputs, which a draft may keep from another model. */
function complaintAboutFeatures(
  { features }: Draft,
  facts: Inspection | undefined,
  t: ComplaintTexts,
): Complaints {
  const complaint = featureComplaint(features, facts ? inputCount(facts) : null);
  return complaint === null ? {} : { features: t(complaint.key, complaint.values) };
}

/** Settings of layers, which a draft may keep from another model. */
function complaintAboutOptions(
  { options }: Draft,
  { facts, engine }: Pick<Circumstances, "facts" | "engine">,
  t: ComplaintTexts,
): Complaints {
  const layers = engine && facts?.optionLayers?.[engine.id];
  if (!layers) return {};
  const [complaint] = optionFields(engine.optionsSchema).flatMap((field) =>
    field.kind === "layers"
      ? (complaintAboutLayers(field, options[field.name], layers, t) ?? [])
      : [],
  );
  return complaint === undefined ? {} : { options: complaint };
}

const sentenceOf = ({ message, hint }: AppError) => (hint ? `${message} ${hint}` : message);
