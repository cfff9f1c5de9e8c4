import { z } from "zod";

/** Models with more inputs than this are pictures and the like, whose values nobody names one by one. */
export const mostNamedFeatures = 64;

const largest = 3.4e38;
const boundSchema = z.number().min(-largest).max(largest);

/** What a person says of one value of a row; what is left out is as the model's card has it. */
const givenFeatureSchema = z
  .strictObject({
    name: z.string().trim().min(1).max(200).optional(),
    /** What it is measured in: `cm`. */
    unit: z.string().trim().min(1).max(40).optional(),
    /** The values that are usual for it: a hint for people, no limit. */
    min: boundSchema.optional(),
    max: boundSchema.optional(),
  })
  .superRefine(({ min, max }, context) => {
    if (min === undefined || max === undefined || min <= max) return;
    const message = `${max} is below the smallest value, ${min}.`;
    context.addIssue({ code: "custom", path: ["max"], message });
  });

/** The values of a row in the order of the model's inputs. It is kept with the endpoint; nothing that is built depends on it. */
export const givenFeaturesSchema = z.array(givenFeatureSchema).min(1).max(mostNamedFeatures);
/** What a person says of the values of a row. */
export type GivenFeatures = z.infer<typeof givenFeaturesSchema>;
