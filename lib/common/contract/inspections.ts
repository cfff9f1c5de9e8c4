import { z } from "zod";
import { calibrationRowsSchema } from "./endpoints";
import { problemSchema } from "./errors";
import { inputRangeSchema } from "./input-range";
import { modelCardSchema } from "./models";
import { digestSchema } from "./names";

/** A file of rows that was stored, and what was understood of it. */
export const rowsFileSchema = z.object({
  url: z.string(),
  name: z.string(),
  sizeBytes: z.number().int(),
  digest: digestSchema,
  rows: z.number().int().positive(),
  labelled: z.boolean(),
  /** `CSV, with a header: 225 rows of 64 inputs, labels in column “label”.` */
  understood: z.string(),
});
/** Stored rows as a deploy names them. */
export type RowsFile = z.infer<typeof rowsFileSchema>;

const shareSchema = z.number().min(0).max(1);

/** Asks for the fewest bits that still agree with the float model. */
export const newSearchSchema = z.strictObject({
  model: z.strictObject({
    url: z.string().min(1).max(2048),
    card: modelCardSchema.optional(),
  }),
  inputRange: inputRangeSchema.optional(),
  calibration: calibrationRowsSchema.optional(),
  /** Model of the board that cells are forecast for. */
  board: z.string().min(1).max(63),
  /** As for a build; their bits are what is searched for. */
  options: z.record(z.string(), z.unknown()).optional(),
  /** Part of the test rows that must get the class that the float model gives them. */
  agreement: shareSchema.default(0.99),
});
/** The body that starts a search. */
export type NewSearch = z.infer<typeof newSearchSchema>;

/** What a worker finds in rows. */
export const rowsFoundSchema = rowsFileSchema.pick({
  rows: true,
  labelled: true,
  understood: true,
});

/** One try of a search: so many bits, and what they come to. */
export const precisionTrySchema = z.object({
  inputBits: z.number().int(),
  weightBits: z.array(z.number().int()),
  activationBits: z.number().int(),
  agreement: shareSchema,
  /** Part of the rows that get their label, where rows have labels. */
  accuracy: shareSchema.nullable(),
  /** Whether the agreement is as large as was asked for. */
  holds: z.boolean(),
  /** The architecture, by its id: `array`, `walk`, `unrolled`, `trees`. */
  architecture: z.string(),
  /** Forecast for the board, before any tool runs. */
  cells: z.number().int(),
  bramBlocks: z.number().int(),
  latencyCycles: z.number().int(),
  fits: z.boolean(),
});
/** Figures of one try; cells and cycles are forecasts. */
export type PrecisionTry = z.infer<typeof precisionTrySchema>;

/** How far a search is: its tries so far, the finest first. */
export const searchResultSchema = z.object({
  wanted: shareSchema,
  /** `class`: rows that get the same class. `value`: rows whose values all lie within 1 % of the float model's range. */
  measure: z.enum(["class", "value"]),
  calibrationRows: z.number().int(),
  testRows: z.number().int(),
  /** Test rows that are also among those to calibrate with. */
  sharedRows: z.number().int(),
  source: z.string(),
  cellsAvailable: z.number().int(),
  floatAccuracy: shareSchema.nullable(),
  tries: z.array(precisionTrySchema),
  /** Most tries that there can be. */
  mostTries: z.number().int(),
  /** The fewest bits that hold, by their place among the tries; null while none does. */
  best: z.number().int().nonnegative().nullable(),
});
/** The tries of a search until now, and the best of them. */
export type SearchResult = z.infer<typeof searchResultSchema>;

/** A search for the fewest bits; its result grows while it runs. */
export const searchSchema = z.object({
  id: z.string(),
  state: z.enum(["queued", "running", "succeeded", "failed"]),
  result: searchResultSchema.optional(),
  problem: problemSchema.optional(),
});
/** A search as it is polled. */
export type Search = z.infer<typeof searchSchema>;
