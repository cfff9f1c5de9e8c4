import { z } from "zod";

/** Whose a section of a design is: the board's own logic, the serial shell, or the compiled model. */
export const sectionGroupSchema = z.enum(["core", "shell", "board"]);
/** To whom the cells of a section belong. */
export type SectionGroup = z.infer<typeof sectionGroupSchema>;

const sectionSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  group: sectionGroupSchema,
});

/** What one section of a placed design takes: a module of the shell, a layer of the model. */
export const sectionUseSchema = sectionSchema.extend({
  /** By the ids of the report's resources; none that it does not take. */
  uses: z.record(z.string(), z.number().int().positive()),
});
/** The resources of one section. */
export type SectionUse = z.infer<typeof sectionUseSchema>;

/** A clock of a placed design: how fast it could be, and how far from late its signals arrive. */
export const clockTimingSchema = z.strictObject({
  name: z.string(),
  achievedMhz: z.number(),
  /** What timing had to hold at. */
  targetMhz: z.number(),
  slack: z
    .strictObject({
      /** Register inputs that were measured. */
      ends: z.number().int().positive(),
      worstNs: z.number(),
      /** Lower edge of the first bin. Slack below 0 is late. */
      fromNs: z.number(),
      binNs: z.number().positive(),
      counts: z.array(z.number().int().nonnegative()).min(1),
    })
    .optional(),
});
/** The timing of one clock, with a histogram of slack where the tool gives it. */
export type ClockTiming = z.infer<typeof clockTimingSchema>;

/** From the first cycle to the last, both of them counted in; 0 is the one in which the last input byte passes. */
const spanSchema = z.strictObject({ from: z.number().int(), to: z.number().int() });
/** Cycles from `from` to `to`, both included; 0 is the last input byte's. */
export type Span = z.infer<typeof spanSchema>;

/** What a core does when, from the first byte of a row to the last of its answer. */
export const timelineSchema = z.strictObject({
  rows: z.array(
    z.strictObject({
      name: z.string(),
      kind: z.enum(["input", "layer", "output"]),
      /** Bytes that pass the port. */
      bytes: z.number().int().positive().optional(),
      spans: z.array(spanSchema),
    }),
  ),
});
/** One row for the input, each layer and the answer, with the cycles in which it works. */
export type Timeline = z.infer<typeof timelineSchema>;

/** A machine of small processors, one for each neuron, layer after layer. */
export const machineDrawingSchema = z.strictObject({
  /** What they compute in: `fps16f8`, … */
  type: z.string(),
  inputs: z.number().int().positive(),
  layers: z.array(
    z.strictObject({
      name: z.string(),
      relu: z.boolean(),
      /** Of a softmax: the terms of its exponential. */
      softmaxTerms: z.number().int().positive().optional(),
      processors: z.array(
        z.strictObject({
          /** As the machine numbers it. */
          number: z.number().int().nonnegative(),
          /** Links that lead to it. */
          inputs: z.number().int().positive(),
          /** Of its program. */
          instructions: z.number().int().positive(),
          /** Places in the layer before that those come from; left out where they are too many to be drawn. */
          from: z.array(z.number().int().nonnegative()).optional(),
        }),
      ),
    }),
  ),
});
/** What a report draws of a machine: its layers, each with its processors. */
export type MachineDrawing = z.infer<typeof machineDrawingSchema>;

/** What a used tile of a chip holds; `other` is clock buffers and the like. */
export const tileKinds = ["logic", "ram", "dsp", "io", "other"] as const;
/** What a tile of a chip serves as. */
export type TileKind = (typeof tileKinds)[number];

/**
 * The file of role `placement`: where on the chip the cells of each section lie. Tiles count from the top left as the
 * tools number them.
 */
export const placementSchema = z.strictObject({
  schemaVersion: z.literal(1),
  columns: z.number().int().positive(),
  rows: z.number().int().positive(),
  sections: z.array(sectionSchema),
  /** Flat, five numbers each: column, row, index of the section, index of the kind in `tileKinds`, cells. */
  tiles: z.array(z.number().int().nonnegative()),
});
/** Where everything lies on the chip. */
export type Placement = z.infer<typeof placementSchema>;
