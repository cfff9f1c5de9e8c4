import { z } from "zod";
import { hasControls, invisible } from "@/lib/common/text";

/** Characters of a label, and labels of a build. */
export const [longestLabel, mostLabels] = [63, 10] as const;

/** A word of people's own; a comma parts it from the next where several stand in a line. */
export const labelSchema = z
  .string()
  .transform((text) => text.trim().normalize("NFC"))
  .superRefine((text, context) => {
    const refuse = (message: string) => context.addIssue({ code: "custom", message });
    const { length } = [...text];
    if (length === 0) refuse("A label has at least one character.");
    if (length > longestLabel)
      refuse(`A label has at most ${longestLabel} characters, this one has ${length}.`);
    if (hasControls(text) || invisible.test(text)) refuse("A label holds no control characters.");
    if (text.includes(",")) refuse("A label holds no comma: it parts one from the next.");
  });

/** All labels that a build is to have, in the order in which they are shown. */
export const newLabelsSchema = z.strictObject({
  labels: z
    .array(labelSchema)
    .transform((labels) => [...new Set(labels)])
    .superRefine(({ length }, context) => {
      if (length > mostLabels)
        context.addIssue({
          code: "custom",
          message: `A build has at most ${mostLabels} labels, these are ${length}.`,
        });
    }),
});
