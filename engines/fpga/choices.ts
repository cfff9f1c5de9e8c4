import { z } from "zod";

/** What a person chooses of any firmware, whatever its core is: fields of an engine's options, from which forms are drawn. */
export const choiceFields = {
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
} as const;

/** How a board's firmware is built. */
export interface Choices {
  readonly simulate: "core" | "shell";
  readonly clockHz?: number | undefined;
  /** Placements to try at each clock. */
  readonly placements: number;
  /** Whether the ladder begins one clock above the one that is believed. */
  readonly isDaring?: boolean;
}
