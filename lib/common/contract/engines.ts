import { z } from "zod";
import { loadsSchema } from "./boards";
import { missingToolSchema } from "./doctor";

const lackingToolsSchema = z.object({
  /** The formats and boards, by id, whose builds need the tools. */
  formats: z.array(z.string()),
  boards: z.array(z.string()),
  /** The choice that needs them, where it is not an engine's usual one. */
  option: z.object({ name: z.string(), value: z.union([z.string(), z.boolean()]) }).optional(),
  tools: z.array(missingToolSchema),
  /** How many build workers lack some of them, of how many that tell. */
  workers: z.int().positive(),
  of: z.int().positive(),
});
/** What build workers that are up lack for some of an engine's builds. */
export type LackingTools = z.infer<typeof lackingToolsSchema>;

/** What a preset is good for: fewest cells, something of each, or the shortest time. */
export const presetIds = ["smallest", "balanced", "fastest"] as const;
/** Some of an engine's options under the name of what they are good for; all others are left to the engine. */
const presetSchema = z.object({
  id: z.enum(presetIds),
  options: z.record(z.string(), z.unknown()),
});
/** A preset of one engine. */
export type EnginePreset = z.infer<typeof presetSchema>;

/** A way of making artifacts, with what it reads and what can be asked of it. */
export const engineSchema = z.object({
  id: z.string(),
  title: z.string(),
  summary: z.string(),
  kind: z.enum(["cpu", "fpga"]),
  formats: z.array(z.string()),
  /** Whether its builds are forecast while a form is filled in, and the fewest bits searched for. */
  forecasts: z.boolean(),
  /** Board model ids it can build for here. */
  boards: z.array(z.string()),
  /** What build workers lack for it; empty where they have all of it, or do not tell. */
  lacking: z.array(lackingToolsSchema),
  /** Those of them for which it makes firmware: numbers become integers there, and the range of inputs matters. */
  firmwareBoards: z.array(z.string()),
  /** Which boards can load what it makes. */
  loads: z.array(loadsSchema),
  /** Whether a build proves what it makes, before a board loads it. */
  proves: z.boolean(),
  /** JSON Schema (2020-12) of `options`. */
  optionsSchema: z.record(z.string(), z.unknown()),
  /** Options by what they are good for; none where there is nothing to choose by. */
  presets: z.array(presetSchema),
});
/** An engine as people choose it. */
export type EngineSummary = z.infer<typeof engineSchema>;
