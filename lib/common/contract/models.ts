import { z } from "zod";
import { digestSchema, isoTimeSchema } from "./names";
import { foundFirmwareSchema } from "./origins";
import { outlineSchema } from "./outlines";

/** A tensor as a model declares it; −1 is a dimension that each request chooses. */
export const tensorSpecSchema = z.object({
  name: z.string(),
  datatype: z.string(),
  shape: z.array(z.number().int()),
});

/** What an engine says of a model: `ok`, or the reason why it cannot take it. */
export const engineVerdictSchema = z.object({
  id: z.string(),
  ok: z.boolean(),
  reason: z.string().optional(),
  message: z.string().optional(),
  hint: z.string().optional(),
});
/** Whether one engine takes the model, and why not. */
export type EngineVerdict = z.infer<typeof engineVerdictSchema>;

/** A layer in the overview of a model: one operator of the graph. */
export const layerSchema = z.object({
  name: z.string(),
  operator: z.string(),
  /** Output shape, −1 where free. */
  shape: z.array(z.number().int()),
  parameters: z.number().int(),
});

/** Counted up when what graphs hold takes another form: a page asks for those of earlier ones to be read again. */
export const layerGraphVersion = 1;
/** Most layers that are told one by one; a picture of more nobody reads. */
export const mostGraphLayers = 600;

/** How the layers of an overview hang together, for a picture: as many as are told, in the order of the layers. */
export const layerGraphSchema = z.object({
  version: z.literal(layerGraphVersion),
  layers: z.array(
    z.object({
      /** Whose outputs it reads: places among the layers, or −1 − the place among the model's inputs. */
      from: z.array(z.number().int()),
      /** Of its trained numbers, where it has any. */
      datatype: z.string().optional(),
      /** Of those, or of what a quantising layer makes. */
      bits: z.number().int().positive().optional(),
    }),
  ),
  /** For each of the model's outputs the layer that makes it, in the same way; null where none of the told ones does. */
  outputs: z.array(z.number().int().nullable()),
  /** Layers that are not told. */
  omitted: z.number().int().nonnegative(),
});
/** Which layer reads which. */
export type LayerGraph = z.infer<typeof layerGraphSchema>;

/** How the numbers of one tensor of weights lie: the five of a box plot. */
const weightRangeSchema = z.object({
  /** Place of its layer among the layers. */
  layer: z.number().int().nonnegative(),
  tensor: z.string(),
  shape: z.array(z.number().int()),
  /** As they are stored: integers of a quantised model count steps. */
  min: z.number(),
  q1: z.number(),
  median: z.number(),
  q3: z.number(),
  max: z.number(),
  /** Numbers that the quartiles were taken of, where those are not all. */
  sampled: z.number().int().positive().optional(),
});
/** The spread of one tensor of weights. */
export type WeightRange = z.infer<typeof weightRangeSchema>;

/** A layer as an engine's options name it, with what can be set of it. */
export const optionLayerSchema = z.object({
  name: z.string(),
  operator: z.string(),
  /** By setting, the numbers that it may be; null: whatever the option's own schema takes. */
  settings: z.record(z.string(), z.array(z.number()).nullable()),
});
/** A layer whose settings an engine takes by its name. */
export type OptionLayer = z.infer<typeof optionLayerSchema>;

/** Facts about a model file, found without running it. */
export const inspectionSchema = z.object({
  format: z.string(),
  sizeBytes: z.number().int(),
  digest: digestSchema,
  inputs: z.array(tensorSpecSchema),
  outputs: z.array(tensorSpecSchema),
  layers: z.array(layerSchema),
  /** How the layers hang together; one of an earlier form counts for none. */
  graph: layerGraphSchema.optional().catch(undefined),
  /** How the weights lie, tensor by tensor; absent where they were not looked at. */
  weights: z.array(weightRangeSchema).optional().catch(undefined),
  /** Count of trained numbers. */
  parameters: z.number().int(),
  engines: z.array(engineVerdictSchema),
  opset: z.number().int().optional(),
  /** What forecasts need, by engine that makes hardware of the model. One of an earlier version counts for none. */
  outlines: z.record(z.string(), outlineSchema.optional().catch(undefined)).optional(),
  /** The layers that options name, by engine that has settings of single layers. */
  optionLayers: z.record(z.string(), z.array(optionLayerSchema)).optional(),
  /** What `card.json` beside the model says, if there is one. */
  card: z.record(z.string(), z.unknown()).optional(),
  /**
   * What says which values the inputs take, where the model can be compiled to hardware: its card, `test.csv` beside it, or
   * the model by its own scaling, grids or thresholds. Null: nothing does, and a build without a range or rows assumes one.
   */
  rangeFrom: z.enum(["card", "rows", "model"]).nullable().optional(),
  /** Of firmware; it has no layers and no parameters. */
  firmware: foundFirmwareSchema.optional(),
});
/** All that is known of a model file. */
export type Inspection = z.infer<typeof inspectionSchema>;

/** A stored model: its inspection, and where its bytes are. */
export const modelSchema = inspectionSchema.extend({
  id: z.string(),
  url: z.string(),
  name: z.string().optional(),
  createdAt: isoTimeSchema.optional(),
});
/** A model as the API lists it. */
export type Model = z.infer<typeof modelSchema>;

/** Asks for facts about the model at an address, without storing it. */
export const inspectRequestSchema = z.strictObject({ url: z.string().min(1).max(2048) });

/** Answer 202 of an inspection that takes longer than the API waits. */
export const inspectionPendingSchema = z.object({
  id: z.string(),
  state: z.string(),
  url: z.string(),
});

/** `card.json` beside a model: what a person knows of it that the file does not say. */
export const modelCardSchema = z.object({
  id: z.string().optional(),
  title: z.string().max(200).optional(),
  task: z.string().max(80).optional(),
  classes: z.array(z.string().max(200)).max(10_000).optional(),
  featureNames: z.array(z.string().max(200)).max(100_000).optional(),
  /** What each feature is measured in; empty: it has no unit. */
  featureUnits: z.array(z.string().max(40)).max(100_000).optional(),
  /** Per feature, row-major; `mean` and `std` standardise, `min` and `max` bound. */
  inputRange: z
    .object({
      min: z.array(z.number()).optional(),
      max: z.array(z.number()).optional(),
      mean: z.array(z.number()).optional(),
      std: z.array(z.number()).optional(),
    })
    .optional(),
  /** Said where a request gave that range, in place of the card's own. */
  rangeFrom: z.literal("request").optional(),
});
/** What the author says of a model; all of it may be absent. */
export type ModelCard = z.infer<typeof modelCardSchema>;
