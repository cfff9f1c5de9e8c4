import { z } from "zod";
import { calibrationRowsSchema } from "./endpoints";
import { newSearchSchema } from "./inspections";
import { digestSchema } from "./names";
import { maxTestRows } from "./predictions";
import { projectPlaceSchema } from "./project-connections";

// Apart from what pages read of inspections: only workers parse these.

/** What a worker inspects besides a model alone. */
export const inspectionRequestSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("rows"), width: z.number().int().positive(), name: z.string() }),
  newSearchSchema.extend({ kind: z.literal("search") }),
  /** Rows to test a model with: those beside it, else those that were given to calibrate with. */
  z.object({
    kind: z.literal("test-rows"),
    width: z.number().int().positive(),
    first: z.number().int().positive(),
    count: z.number().int().positive().max(maxTestRows),
    calibration: calibrationRowsSchema.optional(),
  }),
  /** What the model itself answers to a V2 request. */
  z.object({
    kind: z.literal("float"),
    /** The model must still be the one that was built from. */
    digest: digestSchema,
    request: z.string(),
  }),
  /** Whether a connection works, as it is or as it would be. */
  z.object({
    kind: z.literal("connection"),
    /** The bare UUID, to which the secret is bound. */
    id: z.uuid(),
    connection: projectPlaceSchema,
    /** Sealed; null: none. */
    secret: z.string().nullable(),
  }),
]);
/** A worker's task, told apart by `kind`. */
export type InspectionRequest = z.infer<typeof inspectionRequestSchema>;
