import { z } from "zod";

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
  /** Those of them for which it makes firmware: numbers become integers there, and the range of inputs matters. */
  firmwareBoards: z.array(z.string()),
  /** JSON Schema (2020-12) of `options`. */
  optionsSchema: z.record(z.string(), z.unknown()),
});
/** An engine as people choose it. */
export type EngineSummary = z.infer<typeof engineSchema>;
