import type { EngineSummary } from "@/lib/common/contract";
import type { Draft, PresetId } from "./draft";

/** A preset as the form offers it. */
export interface PresetChoice {
  readonly id: PresetId;
  readonly options: Draft["options"];
}

/** Which preset the options come from, and the options by name that were tuned since. */
export interface PresetState {
  readonly id: PresetId;
  readonly changed: readonly string[];
}

type Presets = Pick<EngineSummary, "presets">;
type Chosen = Pick<Draft, "options" | "preset">;

/** All that an engine offers, what it does by itself first; empty where there is nothing to choose by. */
export const presetChoices = ({ presets }: Presets): readonly PresetChoice[] =>
  presets.length === 0 ? [] : [{ id: "usual", options: {} }, ...presets];

/** The preset that was chosen, else the first one that has the very options: those of an address or of an earlier request. */
export function presetState({ options, preset }: Chosen, engine: Presets): PresetState {
  const choices = presetChoices(engine);
  const chosen =
    choices.find(({ id }) => id === preset) ??
    choices.find((choice) => differing(choice.options, options).length === 0);
  return chosen
    ? { id: chosen.id, changed: differing(chosen.options, options) }
    : { id: "usual", changed: differing({}, options) };
}

/** The same preset of another engine; what was tuned belongs to the one before, and is not taken along. */
export function presetOn(id: PresetId, engine: Presets | undefined): Chosen {
  const same = engine && presetChoices(engine).find((choice) => choice.id === id);
  return { preset: same?.id ?? null, options: same?.options ?? {} };
}

function differing(a: Draft["options"], b: Draft["options"]): string[] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]));
}
