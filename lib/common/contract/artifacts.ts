import { z } from "zod";
import { accuracySchema, calibrationSchema } from "./accuracy";
import { expectationSchema } from "./forecasts";
import {
  clockTimingSchema,
  machineDrawingSchema,
  sectionUseSchema,
  timelineSchema,
} from "./measurements";
import { tensorSpecSchema } from "./models";
import { digestSchema } from "./names";
import { originSchema } from "./origins";

/**
 * A grid of integers: `width` bits in all, of which `fraction` lie behind the binary point; a value is integer ·
 * 2^−fraction.
 */
export const fixedPointSchema = z.strictObject({
  width: z.number().int().min(1).max(32),
  fraction: z.number().int(),
  signed: z.boolean(),
});

/** As `FeatureRanks` of `lib/common/ranks`, which gives the meaning. */
const featureRanksSchema = z.strictObject({
  thresholds: z.array(z.number()),
  missing: z.boolean(),
});

/** A tensor at the edge of a core: how the board server turns reals into the core's integers, or back. */
export const ioInputSchema = tensorSpecSchema.extend({
  /** Elements of one row, the batch dimension left out. */
  size: z.number().int().positive(),
  /** Passes as little-endian bytes, as few as hold its width. */
  fixedPoint: fixedPointSchema.optional(),
  /** Instead of fixed point: passes as the bits of a float, little-endian. */
  float: z.enum(["FP16", "FP32"]).optional(),
  /** Applied before quantising, per element: `(x − mean) / deviation`. */
  standardise: z.object({ mean: z.array(z.number()), deviation: z.array(z.number()) }).optional(),
  /** Instead of both, the grid of a quantised model: `clamp(round(x / scale), min, max) − offset`, in float32. */
  quantise: z
    .strictObject({
      scale: z.number().positive(),
      min: z.number().int(),
      max: z.number().int(),
      offset: z.number().int(),
    })
    .optional(),
  /** Instead of all of them: each feature is sent as its rank among the thresholds of trees. */
  ranks: z.array(featureRanksSchema).optional(),
});
/** As `ElementwiseProgram` of `lib/common/elementwise`, which gives the meaning. */
const elementwiseSchema = z
  .array(
    z.strictObject({
      operator: z.string(),
      operands: z
        .array(
          z.union([
            z.strictObject({ from: z.number().int().nonnegative() }),
            z.strictObject({ constant: z.number() }),
          ]),
        )
        .readonly(),
      parameters: z.record(z.string(), z.number()).readonly(),
    }),
  )
  .readonly();
/** A score tensor as it leaves a core, with all that the board server does to it before a client sees it. */
export const ioOutputSchema = tensorSpecSchema.extend({
  size: z.number().int().positive(),
  fixedPoint: fixedPointSchema.optional(),
  /** Instead of fixed point: scores are the bits of floats. */
  float: z.enum(["FP16", "FP32"]).optional(),
  /** What the board server applies to each dequantised score by itself, before the activation. */
  elementwise: elementwiseSchema.optional(),
  /** What the board server applies to the scores of one row. */
  activation: z.enum(["none", "softmax", "sigmoid", "exp", "argmax"]),
  /** What the core applies to its scores itself, so that nobody does it again: they leave it as probabilities. */
  activated: z.literal("softmax").optional(),
  /** The scores of a row that it is made of; where nothing is said, outputs take theirs one after the other. */
  scores: z
    .strictObject({ first: z.number().int().nonnegative(), count: z.number().int().positive() })
    .optional(),
  /** What argmax answers for each score; its index where nothing is said. */
  classes: z.array(z.number().int()).optional(),
  labels: z.array(z.string()).optional(),
});
/** The tensors of an artifact as clients know them, in the model's order. */
export const ioSchema = z.object({
  inputs: z.array(ioInputSchema),
  outputs: z.array(ioOutputSchema),
});
/** Inputs and outputs as the board server reads them from a manifest. */
export type ArtifactIo = z.infer<typeof ioSchema>;

/** How the bytes of a row pass the core's stream port: those of each input element, `bytesPerOutput` little-endian after. */
export const corePortSchema = z.object({
  inputBytes: z.number().int().positive(),
  outputBytes: z.number().int().positive(),
  bytesPerOutput: z.number().int().positive(),
  /** Cycles from the last input byte to the first valid result, as scheduled. */
  latencyCycles: z.number().int().nonnegative(),
  /** Whether rows may take fewer cycles, by their values: then `latencyCycles` is the most that any may take. */
  latencyVaries: z.boolean().optional(),
});

/** What was held against the integer graph: the design as it is written, inside its serial shell, as it is placed, or as it is loaded. */
export const proofLevelSchema = z.enum(["rtl", "shell", "netlist", "bitstream"]);
/** How far down a design was proven; `bitstream` is the lowest. */
export type ProofLevel = z.infer<typeof proofLevelSchema>;
/** One level of a proof that held. */
export const provenLevelSchema = z.strictObject({
  level: proofLevelSchema,
  /** How many of the vectors it answered like the integer graph. */
  vectors: z.number().int().positive(),
});
/** A level with the number of vectors that it answered. */
export type ProvenLevel = z.infer<typeof provenLevelSchema>;

/** How a build was proven: vectors bit for bit against the integer graph, rows against the float model. */
export const proofSchema = z.object({
  /** Vectors the compiled design answered, and how many differed from the integer graph: 0, or the build failed. */
  vectors: z.number().int(),
  mismatches: z.number().int(),
  /** Of firmware, in the order of proving. */
  levels: z.array(provenLevelSchema).optional(),
  /** Held-back rows that were compared with the float model; 0 if none were given. */
  rows: z.number().int(),
  /** Largest difference of any element of the first output from the float model; as all that follows. */
  maxAbsError: z.number(),
  meanAbsError: z.number().optional(),
  /** Share of rows whose predicted class equals the float model's, 0..1; null if the task has no classes. */
  agreement: z.number().nullable(),
  /** Share of rows predicted as labelled, where labels were given. */
  accuracy: z.number().nullable().optional(),
  floatAccuracy: z.number().nullable().optional(),
  /** `held-back rows` or `synthetic input`. */
  source: z.string(),
});
/** Figures of a proof as pages show them. */
export type Proof = z.infer<typeof proofSchema>;

/** One kind of resource of the part: how much the design takes of how much there is. */
export const resourceUseSchema = z.object({
  id: z.string(),
  name: z.string(),
  used: z.number().int(),
  available: z.number().int(),
});

/** The slowest way between two registers, from its begin: each signal with the time on wires and in the cells behind. */
export const criticalPathSchema = z.object({
  totalNs: z.number(),
  steps: z.array(
    z.object({
      signal: z.string(),
      module: z.string(),
      routingNs: z.number(),
      logicNs: z.number(),
    }),
  ),
});
/** The path that limits the clock, in nanoseconds. */
export type CriticalPath = z.infer<typeof criticalPathSchema>;

/** What a build measured, stage by stage; a figure is absent where no tool of the flow gives it. */
export const reportSchema = z.object({
  /** Of what was made elsewhere; such a report has no proof. */
  origin: originSchema.optional(),
  /** What the figures below were expected to be. */
  expected: expectationSchema.optional(),
  resources: z.array(resourceUseSchema).default([]),
  /** MHz that place and route reached, and the clock the design runs at. */
  achievedMhz: z.number().optional(),
  clockHz: z.number().optional(),
  clockLabel: z.string().optional(),
  criticalPath: criticalPathSchema.optional(),
  /** What each section of the design takes; every placed cell is in one of them. */
  sections: z.array(sectionUseSchema).optional(),
  clocks: z.array(clockTimingSchema).optional(),
  timeline: timelineSchema.optional(),
  machine: machineDrawingSchema.optional(),
  latencyCycles: z.number().int().optional(),
  lanes: z.number().int().optional(),
  /** Cells by type after synthesis. */
  cells: z.record(z.string(), z.number()).optional(),
  /** The vendor's tool that the bitstream still needs, such as `Vivado`: resources are an estimate by Yosys then. */
  bitstreamNeeds: z.string().optional(),
  /** Simulated cycles per second while proving. */
  simulatedCyclesPerSecond: z.number().optional(),
  proof: proofSchema.optional(),
  calibration: calibrationSchema.optional(),
  accuracy: accuracySchema.optional(),
  notes: z.array(z.string()).optional(),
});
/** Figures of a finished build, or of one under way as far as they are known. */
export type Report = z.infer<typeof reportSchema>;

/** What a file of an artifact is for; `simulation-shell` is the design inside its serial shell. */
export const fileRoleSchema = z.enum([
  "model",
  "emulation",
  "bitstream",
  "simulation",
  "simulation-shell",
  "graph",
  "vectors",
  "verilog",
  "placement",
  "project",
  "hardware-handoff",
  "metadata",
  "report",
  "log",
]);
/** By which role a file is asked for, in the API and in manifests. */
export type FileRole = z.infer<typeof fileRoleSchema>;

/** One file of an artifact; its bytes lie in the store under their digest. */
export const artifactFileSchema = z.object({
  role: fileRoleSchema,
  name: z.string(),
  digest: digestSchema,
  sizeBytes: z.number().int().nonnegative(),
});
/** A file as a manifest lists it. */
export type ArtifactFile = z.infer<typeof artifactFileSchema>;

/** The manifest of an artifact. Its canonical JSON's digest is the artifact's name; the signature covers that digest. */
export const manifestSchema = z.object({
  schemaVersion: z.literal(1),
  kind: z.enum(["model", "firmware"]),
  engine: z.string(),
  /** Board model id: `icebreaker`, `cpu`, … */
  boardModel: z.string(),
  /** Part id of the FPGA, such as `ice40up5k-sg48`; absent for CPU boards. */
  part: z.string().optional(),
  planDigest: digestSchema,
  sourceDigest: digestSchema,
  /** V2 `platform`: `boardwalk_ice40`, `onnx_onnxv1`, … */
  platform: z.string(),
  io: ioSchema,
  core: corePortSchema.optional(),
  clockHz: z.number().optional(),
  baud: z.number().optional(),
  maxBatchSize: z.number().int().nonnegative(),
  /** How ONNX Runtime works in a slot: threads of one call, and whether they wait by turning round. */
  runtime: z.object({ threads: z.number().int().min(1), spin: z.boolean() }).optional(),
  /** What a simulated board runs. */
  simulate: z.enum(["core", "shell"]).optional(),
  tools: z.record(z.string(), z.string()),
  files: z.array(artifactFileSchema),
});
/** All that a board server must know to load an artifact and to answer from it. */
export type Manifest = z.infer<typeof manifestSchema>;

/** Lies beside the manifest; `signature` is Ed25519 over the ASCII text of `digest`, base64. */
export const signatureSchema = z.object({
  keyId: z.string(),
  digest: digestSchema,
  signature: z.string(),
});
/** What proves that this installation built an artifact. */
export type Signature = z.infer<typeof signatureSchema>;

/** An artifact as the API answers it: the signed manifest, and which build made it. */
export const artifactSchema = z.object({
  digest: digestSchema,
  manifest: manifestSchema,
  signature: signatureSchema,
  /** What its integers were scaled by, of firmware that has such. */
  calibration: calibrationSchema.optional(),
  /** Where it comes from, of what was not built here. */
  origin: originSchema.optional(),
  sizeBytes: z.number().int(),
  createdAt: z.string(),
  buildId: z.string(),
});
/** An artifact with its signature, as lists and pages show it. */
export type Artifact = z.infer<typeof artifactSchema>;

/**
 * The file of role `vectors`: rows that a design must answer alike at every level, and loading a board runs some of.
 * Bytes of all rows one after the other, as they pass the core's port; of a CPU model, its tensors' rows as binary V2
 * has them, one tensor after the other.
 */
export const vectorsSchema = z.object({
  rows: z.number().int().positive(),
  inputs: z.base64(),
  outputs: z.base64(),
});
/** Test rows with the answers that are expected, base64. */
export type Vectors = z.infer<typeof vectorsSchema>;
