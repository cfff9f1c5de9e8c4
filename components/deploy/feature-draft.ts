import {
  type GivenFeatures,
  givenFeaturesSchema,
  type Inspection,
  modelCardSchema,
} from "@/lib/common/contract";
import { inputCount } from "./input-count";

/** What is said of one value of a row, as typed; empty: as the model's card has it. */
export interface FeatureDraft {
  readonly name: string;
  readonly unit: string;
  readonly min: string;
  readonly max: string;
}

type Fields = keyof FeatureDraft;

/** A value of which nothing is said. */
export const blankFeature: FeatureDraft = { name: "", unit: "", min: "", max: "" };

/** What is wrong with what was typed: a text of `deploy.complaints`, and its values. */
export interface FeatureComplaint {
  readonly key: "featureCount" | "featureNumber" | "featureOrder" | "featureLong";
  readonly values: Readonly<Record<string, string | number>>;
}

const isBlank = (feature: FeatureDraft) =>
  Object.values(feature).every((text) => text.trim() === "");

/** What a request says of the values of a row; null: nothing, or nothing that can be used. */
export function givenFeatures(features: readonly FeatureDraft[]): GivenFeatures | null {
  if (features.every(isBlank)) return null;
  const given = features.map(({ name, unit, min, max }) => ({
    ...(name.trim() === "" ? {} : { name: name.trim() }),
    ...(unit.trim() === "" ? {} : { unit: unit.trim() }),
    ...(min.trim() === "" ? {} : { min: numberIn(min) }),
    ...(max.trim() === "" ? {} : { max: numberIn(max) }),
  }));
  return givenFeaturesSchema.safeParse(given).data ?? null;
}

/** What a request said, as the form holds it. */
export const featureDrafts = (given: GivenFeatures | undefined): readonly FeatureDraft[] =>
  (given ?? []).map(({ name = "", unit = "", min, max }) => ({
    name,
    unit,
    min: min === undefined ? "" : String(min),
    max: max === undefined ? "" : String(max),
  }));

/** The features with another text in a field of one of them; those before it are there too. */
export function withFeature(
  features: readonly FeatureDraft[],
  at: number,
  field: Fields,
  text: string,
): readonly FeatureDraft[] {
  const length = Math.max(features.length, at + 1);
  const all = Array.from({ length }, (_, index) => features[index] ?? blankFeature);
  return all.with(at, { ...(all[at] ?? blankFeature), [field]: text });
}

/** The first thing that is wrong with what was typed; null: nothing. @param inputs How many the model takes; null: unknown. */
export function featureComplaint(
  features: readonly FeatureDraft[],
  inputs: number | null,
): FeatureComplaint | null {
  const said = features.findLastIndex((feature) => !isBlank(feature)) + 1;
  if (inputs !== null && said > inputs)
    return { key: "featureCount", values: { given: said, inputs } };
  for (const [at, feature] of features.entries()) {
    const name = feature.name.trim() || String(at + 1);
    const [low, high] = [numberIn(feature.min), numberIn(feature.max)];
    for (const [text, value] of [
      [feature.min, low],
      [feature.max, high],
    ] as const) {
      if (text.trim() !== "" && !Number.isFinite(value))
        return { key: "featureNumber", values: { name, word: text.trim() } };
    }
    if (low > high) return { key: "featureOrder", values: { name, low, high } };
    if (feature.name.trim().length > 200 || feature.unit.trim().length > 40)
      return { key: "featureLong", values: { name: name.slice(0, 40) } };
  }
  return null;
}

/** A number with a minus of either kind; NaN for what is none, or for nothing. */
const numberIn = (text: string): number =>
  text.trim() === "" ? Number.NaN : Number(text.trim().replace("−", "-"));

/** What the card beside the model says of each value of a row: what the form shows where nothing is typed. */
export function cardFeatures(facts: Inspection): readonly FeatureDraft[] {
  const inputs = inputCount(facts) ?? 0;
  const card = modelCardSchema.safeParse(facts.card ?? {}).data;
  const own = <T>(list: readonly T[] | undefined) => (list?.length === inputs ? list : []);
  const [names, units] = [own(card?.featureNames), own(card?.featureUnits)];
  const [low, high] = [own(card?.inputRange?.min), own(card?.inputRange?.max)];
  return Array.from({ length: inputs }, (_, at) => ({
    name: names[at] ?? "",
    unit: units[at] ?? "",
    min: low[at] === undefined ? "" : String(low[at]),
    max: high[at] === undefined ? "" : String(high[at]),
  }));
}
