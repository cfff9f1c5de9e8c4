import type { OptionLayer } from "@/lib/common/contract";
import { isRecord } from "@/lib/common/records";
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
): string | null {
  const [stray] = strayLayers(value, layers);
  if (stray !== undefined)
    return `This model has no layer “${stray}”. Take its settings out, under “${field.title}”.`;
  for (const { name, settings } of layers) {
    for (const [key, own] of Object.entries(layerValues(value)[name] ?? {})) {
      const setting = field.settings.find((each) => each.name === key);
      const problem = setting ? problemOf(setting, own, settings[key]) : "is no setting";
      if (problem) return `${setting?.title ?? key} of layer “${name}” ${problem}.`;
    }
  }
  return null;
}

function problemOf(
  { kind, minimum, maximum, whole }: OptionField,
  value: unknown,
  allowed: readonly number[] | null | undefined,
): string | null {
  if (allowed === undefined) return "cannot be set";
  if (kind !== "number") return null;
  const number = Number(value);
  if (allowed !== null)
    return allowed.includes(number) ? null : `is one of ${allowed.slice(0, 24).join(", ")}`;
  if (!Number.isFinite(number) || (whole && !Number.isInteger(number)))
    return whole ? "is a whole number" : "is a number";
  if (minimum !== null && number < minimum) return `is at least ${minimum}`;
  if (maximum !== null && number > maximum) return `is at most ${maximum}`;
  return null;
}
