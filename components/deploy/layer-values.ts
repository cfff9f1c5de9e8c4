import type { OptionLayer } from "@/lib/common/contract";
import { isRecord } from "@/lib/common/records";
import type { ComplaintTexts } from "./draft";
import type { OptionField } from "./option-fields";

type Values = Readonly<Record<string, unknown>>;

/** A record with another value under a name; undefined takes the name out. */
export function withEntry(values: Values, name: string, value: unknown): Values {
  const { [name]: _old, ...rest } = values;
  return value === undefined ? rest : { ...rest, [name]: value };
}

/** What is set of single layers: an option's value, layer by layer. */
export function layerValues(value: unknown): Readonly<Record<string, Values>> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, own]) => (isRecord(own) ? [[name, own]] : [])),
  );
}

/** An option's value with another setting of one layer; undefined where no layer has any left. */
export function withSetting(
  value: unknown,
  layer: string,
  setting: string,
  next: unknown,
): Values | undefined {
  const layers = layerValues(value);
  const own = withEntry(layers[layer] ?? {}, setting, next);
  const all = withEntry(layers, layer, Object.keys(own).length > 0 ? own : undefined);
  return Object.keys(all).length > 0 ? all : undefined;
}

/** Names with settings that the model has no layer of. */
export const strayLayers = (value: unknown, layers: readonly OptionLayer[]): readonly string[] =>
  Object.keys(layerValues(value)).filter((name) => layers.every((layer) => layer.name !== name));

/** The first thing that is wrong with settings of single layers, once the layers of the model are known; null: nothing. */
export function complaintAboutLayers(
  field: OptionField,
  value: unknown,
  layers: readonly OptionLayer[],
  t: ComplaintTexts,
): string | null {
  const [stray] = strayLayers(value, layers);
  if (stray !== undefined) return t("stray", { layer: stray, option: field.title });
  for (const { name, settings } of layers) {
    for (const [key, own] of Object.entries(layerValues(value)[name] ?? {})) {
      const setting = field.settings.find((each) => each.name === key);
      const problem = setting ? problemOf(setting, own, settings[key]) : noSetting;
      if (problem)
        return t(problem.key, { setting: setting?.title ?? key, layer: name, ...problem.values });
    }
  }
  return null;
}

const noSetting: SettingProblem = { key: "noSetting" };

/** What is wrong with a setting: a text of `deploy.complaints`, and its values besides the setting and the layer. */
interface SettingProblem {
  readonly key: "noSetting" | "notSettable" | "oneOf" | "whole" | "number" | "atLeast" | "atMost";
  readonly values?: Readonly<Record<string, string | number>>;
}

function problemOf(
  { kind, minimum, maximum, whole }: OptionField,
  value: unknown,
  allowed: readonly number[] | null | undefined,
): SettingProblem | null {
  if (allowed === undefined) return { key: "notSettable" };
  if (kind !== "number") return null;
  const number = Number(value);
  if (allowed !== null)
    return allowed.includes(number)
      ? null
      : { key: "oneOf", values: { values: allowed.slice(0, 24).join(", ") } };
  if (!Number.isFinite(number) || (whole && !Number.isInteger(number)))
    return { key: whole ? "whole" : "number" };
  if (minimum !== null && number < minimum) return { key: "atLeast", values: { bound: minimum } };
  if (maximum !== null && number > maximum) return { key: "atMost", values: { bound: maximum } };
  return null;
}
