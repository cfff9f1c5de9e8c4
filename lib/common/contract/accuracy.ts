import { z } from "zod";

const countSchema = z.number().int().nonnegative();
const shareSchema = z.number().min(0).max(1);

/** Rows that ranges were chosen from, as the compiler used them. */
export const calibrationSchema = z.object({
  rows: countSchema,
  /** `test.csv`, the name of an upload, or `synthetic input`. */
  source: z.string(),
  synthetic: z.boolean(),
  /** Where the scaling of the inputs comes from: `range of the model card`, `range given with the request`, or a file's name. */
  scaledBy: z.string(),
});
/** What a report says of the rows that scaled the integers. */
export type Calibration = z.infer<typeof calibrationSchema>;

/** How often values of one tensor met the edge of their grid. */
export const clippingSchema = z.object({
  /** Name of the input, or of the layer in the model. */
  tensor: z.string(),
  role: z.enum(["inputs", "hidden", "scores"]),
  /** Values looked at: rows times elements. */
  values: countSchema,
  /** Part of them that saturated. */
  share: shareSchema,
});
/** One tensor's share in a report of values that met the edge of their grid. */
export type Clipping = z.infer<typeof clippingSchema>;

/** `counts[a][b]`: rows that the first side calls class `a` and the second class `b`. */
const confusionCountsSchema = z.array(z.array(countSchema));

/** A row whose integer answer lies far from the float model's, with both answers. */
export const worstRowSchema = z.object({
  /** Its number in the file it comes from, the first being 1. */
  row: z.number().int().positive(),
  /** As many as are shown, of `featureCount`. */
  features: z.array(z.number()),
  featureCount: countSchema,
  /** What both models answer to a client, and the class they give it, where there are classes. */
  float: z.array(z.number()),
  integer: z.array(z.number()),
  floatClass: z.number().int().nullable(),
  integerClass: z.number().int().nullable(),
  label: z.number().int().nullable(),
  absError: z.number(),
});
/** One of a report's worst rows. */
export type WorstRow = z.infer<typeof worstRowSchema>;

/** How near one output of a firmware comes to that of the model in floating point. */
export const outputAccuracySchema = z.object({
  /** Its name in the model. */
  output: z.string(),
  /** Whether the labels of the rows are about this output. */
  labelled: z.boolean(),
  /** Part of the rows that both models give the same class; null of an output that names none. */
  agreement: shareSchema.nullable(),
  floatAccuracy: shareSchema.nullable(),
  integerAccuracy: shareSchema.nullable(),
  /** Difference of its values, the largest and on average. */
  maxAbsError: z.number(),
  meanAbsError: z.number(),
});
export type OutputAccuracy = z.infer<typeof outputAccuracySchema>;

/** How near the integers of a firmware come to the model in floating point, on rows that are named: its first output. */
export const accuracySchema = z.object({
  /** Null where the design needs none, as trees do. */
  calibration: calibrationSchema.nullable(),
  test: z.object({
    rows: countSchema,
    source: z.string(),
    synthetic: z.boolean(),
    /** Test rows that are equal to a row of the calibration: 0 where both are disjoint. */
    shared: countSchema,
  }),
  /** Whether the rows had labels. Without, only the agreement with the float model is known. */
  labelled: z.boolean(),
  /** Part of the rows that both models give the same class; null if the task has no classes. */
  agreement: shareSchema.nullable(),
  floatAccuracy: shareSchema.nullable(),
  integerAccuracy: shareSchema.nullable(),
  /** Largest difference of any value of the first output. */
  maxAbsError: z.number(),
  clipping: z.array(clippingSchema),
  /** Absent without classes, or with more of them than can be shown. */
  confusion: z
    .object({
      /** What each class is called, in the order of the rows and columns. */
      classes: z.array(z.string()),
      /** Float model down, integers across. */
      floatToInteger: confusionCountsSchema,
      /** Labels down, integers or the float model across. */
      labelToInteger: confusionCountsSchema.nullable(),
      labelToFloat: confusionCountsSchema.nullable(),
    })
    .nullable(),
  /** Rows whose answers differ most, the worst first. */
  worst: z.array(worstRowSchema),
  /** One entry for each output, in the model's order; absent from reports that know of the first alone. */
  outputs: z.array(outputAccuracySchema).optional(),
});
/** How a report answers "is it as good as the model?", on named rows. */
export type Accuracy = z.infer<typeof accuracySchema>;
