import { z } from "zod";
import { endpointAccessSchema } from "./access";
import { calibrationSchema, outputAccuracySchema } from "./accuracy";
import { proofSchema } from "./artifacts";
import { boardKindSchema } from "./boards";
import { problemSchema } from "./errors";
import { givenFeaturesSchema } from "./given-features";
import { inputRangeSchema } from "./input-range";
import { modelCardSchema, tensorSpecSchema } from "./models";
import { digestSchema, isoTimeSchema, nameSchema } from "./names";
import { largestOrdinal } from "./ordinals";
import { originSchema } from "./origins";
import { servingSchema } from "./serving";
import { endpointStateSchema, revisionStateSchema } from "./states";

/** A board to deploy on: any of a model and kind, or one that is there, by its id. */
export const boardChoiceSchema = z.union([
  z.strictObject({ model: z.string().min(1).max(63), kind: boardKindSchema }),
  z.strictObject({ id: z.string().min(1).max(63) }),
]);

/** Rows to calibrate a firmware with: a CSV or `.npy` file, of an upload or of any address that models may have. */
export const calibrationRowsSchema = z.strictObject({
  url: z.string().min(1).max(2048),
  /** What people call the file. */
  name: z.string().min(1).max(200).optional(),
});

/** What decides a revision: everything of a deploy but the name. */
export const newRevisionSchema = z.strictObject({
  engine: z.string().min(1).max(63),
  model: z.strictObject({
    url: z.string().min(1).max(2048),
    digest: digestSchema.optional(),
    card: modelCardSchema.optional(),
  }),
  board: boardChoiceSchema,
  inputRange: inputRangeSchema.optional(),
  calibration: calibrationRowsSchema.optional(),
  features: givenFeaturesSchema.optional(),
  options: z.record(z.string(), z.unknown()).optional(),
  serving: servingSchema.optional(),
});
/** A request to build, as it is kept with the build that it asks for. */
export type NewRevision = z.infer<typeof newRevisionSchema>;

/** A deploy: a first revision, and the name under which it will answer. */
export const newEndpointSchema = newRevisionSchema.extend({
  name: nameSchema,
  /** Left out: everybody who reaches the gateway. */
  access: endpointAccessSchema.optional(),
});
/** The body of a deploy. */
export type NewEndpoint = z.infer<typeof newEndpointSchema>;

/** The answer to a deploy: accepted, with the build to watch; nothing answers yet. */
export const deployedSchema = z.object({
  name: z.string(),
  state: endpointStateSchema,
  buildId: z.string(),
  url: z.string(),
  revision: z.number().int(),
});
/** What a deploy has set going. */
export type Deployed = z.infer<typeof deployedSchema>;

/** Which revision is to serve again; without one, the one that served before. */
export const rollbackSchema = z.strictObject({
  revision: z.number().int().min(1).max(largestOrdinal).optional(),
  /** Refuses with `PRECONDITION_FAILED` unless this revision is the one that serves now, as the caller believes. */
  ifServing: z.number().int().min(1).max(largestOrdinal).optional(),
});
/** The body of a rollback. */
export type Rollback = z.infer<typeof rollbackSchema>;

const usualValuesSchema = z.array(z.number().nullable());

/** Names and ranges of the features of a row, each list as long as the row or absent; null: of this one nothing is known. */
export const featuresSchema = modelCardSchema.shape.inputRange.unwrap().extend({
  min: usualValuesSchema.optional(),
  max: usualValuesSchema.optional(),
  names: modelCardSchema.shape.featureNames,
  units: modelCardSchema.shape.featureUnits,
});
/** What is known of the features of a row. */
export type Features = z.infer<typeof featuresSchema>;

/** An endpoint with what answers for it now and how it may be called. */
export const endpointSchema = z.object({
  name: z.string(),
  state: endpointStateSchema,
  /** Why it is in this state, in words. */
  reason: z.string().optional(),
  problem: problemSchema.nullable().optional(),
  url: z.string(),
  /** Where clients reach it over gRPC: `host:port`. */
  grpc: z.string().optional(),
  buildId: z.string().nullable(),
  artifactDigest: digestSchema.nullable(),
  proof: proofSchema.optional(),
  /** Where its firmware comes from, of what was not built here; it has no proof then. */
  origin: originSchema.optional(),
  /** What its integers were scaled by, of firmware that has such. */
  calibration: calibrationSchema.optional(),
  /** How near each output comes to the float model, of firmware that has several. */
  outputAccuracies: z.array(outputAccuracySchema).optional(),
  /** `V2`: the API version that clients speak. */
  apiVersion: z.string(),
  /** What answers: `boardwalk on iCEBreaker (simulated)`. */
  serviceType: z.string(),
  engine: z.string(),
  boardModel: z.string(),
  boardKind: boardKindSchema,
  boardId: z.string().nullable(),
  /** Slots that answer, and how many should. */
  replicas: z.object({ serving: z.number().int(), wanted: z.number().int() }),
  modelUrl: z.string(),
  /** What the file was called, of a model that was uploaded. */
  modelName: z.string().optional(),
  /** Ordinal of the revision that the route sends to. */
  revision: z.number().int(),
  /** Ordinal of the revision that is to take over, while it is built or loaded; null: none is. */
  next: z.number().int().nullable(),
  /** Whether callers are kept from it, whatever state it is in; it keeps its boards. */
  paused: z.boolean(),
  access: endpointAccessSchema,
  reused: z.boolean(),
  inputs: z.array(tensorSpecSchema),
  outputs: z.array(tensorSpecSchema),
  labels: z.array(z.string()).optional(),
  /** What its request or the model card says of the features; of one endpoint alone, not in lists. */
  features: featuresSchema.optional(),
  /** Rows that one request may have; 0: its tensors have no batch dimension. */
  maxBatchSize: z.number().int().optional(),
  /** A valid V2 request body with one row of real or typical values. */
  sample: z.unknown().optional(),
  clockHz: z.number().nullable().optional(),
  createdAt: isoTimeSchema,
  readyAt: isoTimeSchema.nullable(),
});
/** An endpoint as lists and its own page show it. */
export type Endpoint = z.infer<typeof endpointSchema>;

/** What the first page says of the endpoints, however many there are. */
export const endpointOverviewSchema = z.object({
  count: z.number().int(),
  /** The few that are shown: hardware first, and among alike those that are in trouble first. */
  first: z.array(endpointSchema),
  /** How many are failed or degraded, and the first of them by name. */
  inTrouble: z.number().int(),
  trouble: z.array(endpointSchema),
  /** What the steps of the first hour are held to: those of samples, one of another model, one that is ready. */
  guide: z.array(endpointSchema),
});
/** The endpoints as the first page shows them. */
export type EndpointOverview = z.infer<typeof endpointOverviewSchema>;

/** Which names of endpoints are asked for: those that begin with the text. */
export const takenNamesQuerySchema = z.strictObject({ start: z.string().min(1).max(63) });
/** Names that are taken. */
export const takenNamesSchema = z.object({ names: z.array(z.string()) });

/** One build request of an endpoint with what became of it. */
export const revisionSchema = z.object({
  id: z.string(),
  ordinal: z.number().int(),
  state: revisionStateSchema,
  engine: z.string(),
  boardModel: z.string(),
  boardKind: boardKindSchema,
  modelUrl: z.string(),
  /** What the file was called, of a model that was uploaded. */
  modelName: z.string().optional(),
  /** All that was asked for, so that it can be asked for again with changes. */
  request: newRevisionSchema,
  artifactDigest: digestSchema.nullable(),
  buildId: z.string().nullable(),
  createdAt: isoTimeSchema,
  /** When the route was last switched to it; null: it never answered. */
  servedAt: isoTimeSchema.nullable(),
});
/** A line in the history of an endpoint; `ordinal` is its V2 version. */
export type Revision = z.infer<typeof revisionSchema>;

/** Time of one prediction by layer, nanoseconds; `cycles` from the core's own counter. */
export const timingSchema = z.object({
  gatewayQueueNs: z.number().optional(),
  gatewayNs: z.number().optional(),
  linkNs: z.number().optional(),
  boardQueueNs: z.number().optional(),
  hostNs: z.number().optional(),
  computeNs: z.number().optional(),
  cycles: z.number().optional(),
  clockHz: z.number().optional(),
  /** True when compute was simulated: then `cycles / clockHz` is the chip's time, `computeNs` the simulator's. */
  simulated: z.boolean().optional(),
  /** Elements of the inputs that were outside of the range that the firmware was built for; absent if none was. */
  clippedInputs: z.number().int().optional(),
});
/** Where the time of one prediction went; parts that did not happen are absent. */
export type Timing = z.infer<typeof timingSchema>;
