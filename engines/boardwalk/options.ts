import { z } from "zod";

/** Settings of the built-in compiler. Every field has a label and a text, from which forms are drawn. */
export const optionsSchema = z.strictObject({
  simulate: z
    .enum(["core", "shell"])
    .default("core")
    .meta({ title: "Simulate" })
    .describe(
      "What a simulated board runs: the core at its stream port, or the whole serial link bit by bit, which is slower.",
    ),
  clockHz: z
    .number()
    .int()
    .positive()
    .optional()
    .meta({ title: "Clock (Hz)" })
    .describe("One of the board's clocks. Left out: the highest that the design reaches."),
  lanes: z
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .meta({ title: "Lanes" })
    .describe("Multipliers that work side by side. Left out: as few as reach the shortest time."),
});
export type Options = z.infer<typeof optionsSchema>;
