import type { useTranslations } from "next-intl";
import {
  type BoardKind,
  type Loads,
  type NewEndpoint,
  type NewRevision,
  namePattern,
  newEndpointSchema,
  type RecipeContent,
  type Serving,
} from "@/lib/common/contract";
import { type FeatureDraft, givenFeatures } from "./feature-draft";
import { givenRange, type RangeDraft } from "./range-draft";

/** A board as the form holds it: a model of a kind, or one device by id. */
export type BoardPick =
  | { readonly model: string; readonly kind: BoardKind }
  | {
      readonly id: string;
      readonly model: string;
      readonly kind: BoardKind;
      /** What it can be given to load; left out: Boardwalk's artifacts. */
      readonly loads?: Loads | undefined;
    };

/** Tells boards apart, in lists and maps. */
export const keyOfPick = (pick: BoardPick): string =>
  "id" in pick ? pick.id : `${pick.model} ${pick.kind}`;

/** What options are chosen by: a preset of the engine, or what the engine does by itself. */
export type PresetId = NonNullable<RecipeContent["preset"]>;

/** What a person has filled in so far. Nothing of it is thrown away by an error. */
export interface Draft {
  readonly url: string;
  readonly engine: string;
  readonly board: BoardPick | null;
  /** False while engine and board are only suggestions, which follow from the model. */
  readonly settled: boolean;
  readonly name: string;
  /** False while the name is only a suggestion made from the model. */
  readonly named: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  /** What the options were chosen by, before they were tuned; null: the one that has the very options. */
  readonly preset: PresetId | null;
  readonly range: RangeDraft;
  /** Rows to calibrate with: where they are stored, and for how many inputs they were understood; null: not known here. */
  readonly calibration: {
    readonly url: string;
    readonly name: string;
    readonly understood: string;
    readonly inputs: number | null;
  } | null;
  /** What the values of a row are called and measured in, in the order of the model's inputs. */
  readonly features: readonly FeatureDraft[];
  /** How many slots serve, and how requests share their calls; empty: one, as the gateway does by itself. */
  readonly serving: Serving;
  /** What the file was called that is stored at this address; its address has its digest for a name. */
  readonly upload?: { readonly url: string; readonly name: string } | undefined;
  /** What an earlier request said of the model at its address, beyond the address; it holds for that address alone. */
  readonly pinned?: NewRevision["model"] | undefined;
}

/** What the file is called that the draft speaks of, if it was uploaded and that is known. */
export const fileNameOf = ({ url, upload }: Pick<Draft, "url" | "upload">): string | null =>
  upload !== undefined && upload.url === url.trim() ? upload.name : null;

/** A question of the form. */
export type FieldName =
  | "model"
  | "engine"
  | "board"
  | "name"
  | "options"
  | "range"
  | "calibration"
  | "features";
/** What is wrong with the answers, by question; those that are right are absent. */
export type Complaints = Partial<Record<FieldName, string>>;

/** What is said of answers that are missing or wrong. */
export type ComplaintTexts = ReturnType<typeof useTranslations<"deploy.complaints">>;

/** Why a name cannot be taken, in words; null when it can. */
export function complaintAboutName(
  name: string,
  taken: readonly string[],
  t: ComplaintTexts,
): string | null {
  if (name === "") return t("nameMissing");
  if (taken.includes(name)) return t("nameTaken", { name });
  if (name.length > 63) return t("nameLong");
  if (/[A-Z]/.test(name)) return t("nameCase", { name: name.toLowerCase() });
  if (!/^[a-z]/.test(name)) return t("nameStart");
  if (name.endsWith("-")) return t("nameEnd");
  if (!namePattern.test(name)) return t("nameForm");
  return null;
}

/** Everything that is missing or wrong before the form is sent. */
export function complaintsAbout(
  draft: Draft,
  taken: readonly string[],
  t: ComplaintTexts,
): Complaints {
  const name = complaintAboutName(draft.name, taken, t);
  return {
    ...(draft.url.trim() === "" ? { model: t("model") } : {}),
    ...(draft.engine === "" ? { engine: t("engine") } : {}),
    ...(draft.board === null ? { board: t("board") } : {}),
    ...(name === null ? {} : { name }),
  };
}

/** What a draft says so far, as the call that deploys has it: the form sends this very body, and its shell command shows it. */
export function bodyOf(draft: Draft) {
  const { options, calibration, serving, pinned } = draft;
  const url = draft.url.trim();
  const inputRange = givenRange(draft);
  const features = givenFeatures(draft.features);
  return {
    name: draft.name,
    engine: draft.engine,
    model: pinned?.url === url ? pinned : { url },
    board: boardOf(draft) ?? {},
    ...(inputRange ? { inputRange } : {}),
    ...(calibration ? { calibration: { url: calibration.url, name: calibration.name } } : {}),
    ...(features ? { features } : {}),
    ...(Object.keys(options).length > 0 ? { options } : {}),
    ...(Object.keys(serving).length > 0 ? { serving } : {}),
  };
}

/** The chosen board as a request names it; null while none is. */
export function boardOf({ board }: Pick<Draft, "board">): NewRevision["board"] | null {
  if (board === null) return null;
  return "id" in board ? { id: board.id } : { model: board.model, kind: board.kind };
}

/** The body of the one call that deploys. */
export function toNewEndpoint(draft: Draft): NewEndpoint {
  return newEndpointSchema.parse(bodyOf(draft));
}

/** The same for an endpoint that there is, whose name says the address. */
export function toNewRevision(draft: Draft): NewRevision {
  const { name: _, ...request } = toNewEndpoint(draft);
  return request;
}

/** Which question a server's error belongs to: `model.url` → model. */
export function fieldOfError(path: string | undefined): FieldName | null {
  const first = path?.split(/[.[]/)[0];
  switch (first) {
    case "model":
    case "engine":
    case "board":
    case "name":
    case "options":
    case "calibration":
    case "features":
      return first;
    case "inputRange":
      return "range";
    case "url":
      return "model";
    default:
      return null;
  }
}

/** A name made from a model's title: `Jets small.onnx` → `jets-small`. */
export function nameFrom(title: string): string {
  const base = title
    .toLowerCase()
    .replace(/(\.tar)?\.[a-z0-9]+$/, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, 56)
    .replace(/-+$/, "");
  return base === "" ? "model" : base;
}

/** The name, or the first that is free with a number behind it: `iris-mlp-2`. */
export function firstFree(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  let count = 2;
  while (taken.includes(`${name}-${count}`)) count += 1;
  return `${name}-${count}`;
}
