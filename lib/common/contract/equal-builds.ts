import { z } from "zod";
import { boardKindSchema } from "./boards";
import { calibrationRowsSchema } from "./endpoints";
import { inputRangeSchema } from "./input-range";
import { digestSchema, isoTimeSchema } from "./names";

/** What somebody is about to ask for: everything that decides what is built, the model by its bytes. */
export const equalQuerySchema = z.strictObject({
  modelDigest: digestSchema,
  engine: z.string().min(1).max(63),
  board: z.strictObject({ model: z.string().min(1).max(63), kind: boardKindSchema }),
  options: z.record(z.string(), z.unknown()).optional(),
  inputRange: inputRangeSchema.optional(),
  calibration: calibrationRowsSchema.optional(),
});
/** A request for firmware, told apart from others by the bytes of its model. */
export type EqualQuery = z.infer<typeof equalQuerySchema>;

/** What the finished builds of the very same request came to. */
export const equalBuildsSchema = z.object({
  /** Those that made their artifact themselves. */
  builds: z.number().int(),
  /** How long those took; null if there are none. */
  seconds: z.object({ median: z.number(), low: z.number(), high: z.number() }).nullable(),
  /** What the newest of them runs at, and what its placement reached. */
  clock: z.object({ hz: z.number(), achievedMhz: z.number() }).nullable(),
  cycles: z.number().nullable(),
  /** A build whose artifact would be taken again, as far as is known, and when it was taken last. */
  reusable: z.object({ buildId: z.string(), at: isoTimeSchema }).nullable(),
});
/** What can be promised of a build because equal ones were made. */
export type EqualBuilds = z.infer<typeof equalBuildsSchema>;

/** The same, on whichever board. */
export const builtQuerySchema = equalQuerySchema.omit({ board: true });
/** A request for firmware that leaves the board open. */
export type BuiltQuery = z.infer<typeof builtQuerySchema>;

/** The boards for which an artifact of this request exists already, so that a deploy there builds nothing. */
export const builtBoardsSchema = z.object({
  items: z.array(
    z.object({
      boardModel: z.string(),
      boardKind: boardKindSchema,
      buildId: z.string(),
      at: isoTimeSchema,
    }),
  ),
  /** Median time of the latest builds here that took an artifact again, in seconds; null where none did. */
  reuseSeconds: z.number().nullable(),
});
/** Boards with an artifact that would be taken again. */
export type BuiltBoards = z.infer<typeof builtBoardsSchema>;
