import { z } from "zod";
import { resourceUseSchema } from "./artifacts";
import { boardTaskSchema } from "./board-tasks";
import { type boardKindSchema, boardSchema, slotSchema } from "./boards";
import { problemSchema } from "./errors";
import { digestSchema, isoTimeSchema } from "./names";
import { pageQuerySchema } from "./pages";
import { boardStateSchema } from "./states";

/** A place of a board with what should be in it beside what is. */
export const slotDetailSchema = slotSchema.extend({
  /** Whether it is empty, nobody's, and told nothing. */
  free: z.boolean(),
  /** What it is meant to hold; null: nothing. */
  wanted: z
    .object({
      artifactDigest: digestSchema.nullable(),
      revision: z.number().int(),
      engine: z.string(),
    })
    .nullable(),
  /** Whether what its board server says it holds is what it is meant to hold; null while it is being changed. */
  matches: z.boolean().nullable(),
  /** Whether the endpoint asked for this very board. */
  pinned: z.boolean(),
  /** How many replicas of the same revision serve on other boards. */
  elsewhere: z.number().int(),
  /** The build whose reports tell what is loaded. */
  buildId: z.string().nullable(),
  /** When it last changed. */
  changedAt: isoTimeSchema,
  why: problemSchema.nullable(),
});
/** A place of a board, in full. */
export type SlotDetail = z.infer<typeof slotDetailSchema>;

/** The board server that a board hangs on. */
export const boardServerSchema = z.object({
  id: z.string(),
  name: z.string(),
  heard: z.boolean(),
  heartbeatAt: isoTimeSchema.nullable(),
  /** As it calls itself; null: of before it said so. */
  version: z.string().nullable(),
  /** Where the gateway reaches it: a socket's path, or host and port. */
  address: z.string(),
  enrolledAt: isoTimeSchema,
  /** SHA-256 of its public key. */
  keyFingerprint: digestSchema,
  simulatedCapacity: z.number().int(),
});

/** Why each thing that can be asked of a board is refused now; null: it is not. */
export const boardRefusalsSchema = z.object({
  drain: problemSchema.nullable(),
  resume: problemSchema.nullable(),
  reload: problemSchema.nullable(),
  selfTest: problemSchema.nullable(),
  blink: problemSchema.nullable(),
});
/** What can be asked of a board, and what stands against it. */
export type BoardRefusals = z.infer<typeof boardRefusalsSchema>;

/** A board as its own page shows it. */
export const boardDetailSchema = boardSchema.extend({
  key: z.string(),
  createdAt: isoTimeSchema,
  /** Since when it is no longer here. */
  removedAt: isoTimeSchema.nullable(),
  /** Its serial line on its host, where it was adopted; its address, where it was attached. */
  reachedAt: z.string().nullable(),
  /** Who served a model from a real one of this model, and when; null: nobody yet. */
  verifiedOnHardware: z.string().nullable(),
  server: boardServerSchema,
  slots: z.array(slotDetailSchema),
  /** Endpoints of this project that wait for this very board, or for one like it that has room. */
  waiting: z.array(z.object({ endpoint: z.string(), revision: z.number().int() })),
  /** What was asked of it lately, newest first. */
  tasks: z.array(boardTaskSchema),
  refusals: boardRefusalsSchema,
});
/** A board with its places, its server, who waits for it, and what can be asked of it. */
export type BoardDetail = z.infer<typeof boardDetailSchema>;

/** What happens to boards: their states, and what their places go through. */
const boardHistoryKinds = [
  "state",
  "loaded",
  "failed",
  "emptied",
  "lost",
  "back",
  "tested",
  "blinked",
  "drained",
  "resumed",
  "reloaded",
  "leased",
  "handed-back",
] as const;
const boardHistoryKindSchema = z.enum(boardHistoryKinds);
/** One kind of thing that happens to a board. */
export type BoardHistoryKind = (typeof boardHistoryKinds)[number];

/** One thing that happened to a board. */
export const boardHistoryItemSchema = z.object({
  id: z.string(),
  at: isoTimeSchema,
  kind: boardHistoryKindSchema,
  /** Which place; null: the board as a whole. */
  place: z.number().int().nullable(),
  from: boardStateSchema.optional(),
  to: boardStateSchema.optional(),
  /** Of this project; others are not named. */
  endpoint: z.string().optional(),
  revision: z.number().int().optional(),
  artifactDigest: digestSchema.optional(),
  problem: problemSchema.optional(),
  durationMs: z.number().optional(),
  rows: z.number().int().optional(),
  mode: z.string().optional(),
  /** Who had it, of this project. */
  person: z.string().optional(),
  /** When a lease ends. */
  until: isoTimeSchema.optional(),
});
/** A line of a board's history. */
export type BoardHistoryItem = z.infer<typeof boardHistoryItemSchema>;

/** What of a history is asked for. */
export const boardHistoryParts = ["all", "loads", "tests", "states"] as const;
/** Which page of a board's history. */
export const boardHistoryQuerySchema = z.strictObject({
  ...pageQuerySchema.shape,
  part: z.enum(boardHistoryParts).default("all"),
});

/** How far back an availability goes. */
export const availabilityRanges = ["24h", "30d"] as const;
/** What an availability is asked with. */
export const availabilityQuerySchema = z.strictObject({
  range: z.enum(availabilityRanges).default("24h"),
});

/** In which states a board was, over a time; and how its loads and tests went. */
export const boardAvailabilitySchema = z.object({
  range: z.enum(availabilityRanges),
  from: isoTimeSchema,
  to: isoTimeSchema,
  /** One after the other without gaps; null: nobody noted it then. */
  spans: z.array(
    z.object({ state: boardStateSchema.nullable(), from: isoTimeSchema, to: isoTimeSchema }),
  ),
  /** Share of the noted time in which its server was heard, 0..1; null while nothing is noted. */
  heardShare: z.number().nullable(),
  loads: z.object({ succeeded: z.number().int(), failed: z.number().int() }),
  tests: z.object({ passed: z.number().int(), failed: z.number().int() }),
});
/** A board over a time. */
export type BoardAvailability = z.infer<typeof boardAvailabilitySchema>;

/** Firmware, or a model, of this project that a board can load. */
export const fittingArtifactSchema = z.object({
  digest: digestSchema,
  kind: z.string(),
  engine: z.string(),
  modelUrl: z.string(),
  /** What the file was called, of a model that was uploaded. */
  modelName: z.string().optional(),
  buildId: z.string(),
  createdAt: isoTimeSchema,
  clockHz: z.number().nullable(),
  /** The resource of the board that it fills most. */
  fullest: resourceUseSchema.nullable(),
  /** Endpoints of this project that answer from it now. */
  endpoints: z.array(z.string()),
  /** Whether this board holds it. */
  isHere: z.boolean(),
});
/** What fits on a board. */
export type FittingArtifact = z.infer<typeof fittingArtifactSchema>;

const pinSchema = z.object({ pin: z.string(), active: z.string() });

/** A board model in full, as its file in the catalogue says it. */
export const boardModelDetailSchema = z.object({
  id: z.string(),
  aliases: z.array(z.string()).optional(),
  name: z.string(),
  vendor: z.string(),
  verifiedOnHardware: z.string().optional(),
  part: z.looseObject({
    id: z.string(),
    name: z.string(),
    family: z.string(),
    package: z.string(),
    flow: z.looseObject({ kind: z.string() }),
    resources: z.object({
      lut: z.number(),
      lutType: z.string(),
      ff: z.number(),
      bramBlocks: z.number(),
      bramBlockBits: z.number(),
      dsp: z.number(),
      spramBits: z.number(),
    }),
  }),
  programmer: z
    .looseObject({
      id: z.string(),
      name: z.string(),
      command: z.string(),
      args: z.array(z.string()),
    })
    .nullable(),
  clocks: z.array(z.looseObject({ name: z.string(), pin: z.string(), hz: z.number() })),
  standardClocksHz: z.array(z.number()),
  links: z.array(z.looseObject({ kind: z.string() })),
  usb: z.looseObject({ vendorId: z.string(), productId: z.string() }).optional(),
  resetPin: pinSchema.nullable(),
  leds: z.array(pinSchema),
  ioStandard: z.string().nullable(),
  drawing: z.looseObject({}),
  doubts: z.array(z.string()),
  notes: z.string(),
  sources: z.array(z.string()),
});
/** A board model as the catalogue has it. */
export type BoardModelDetail = z.infer<typeof boardModelDetailSchema>;

/** Kinds of boards, in the order in which lists show them: hardware first. */
export const boardKinds = ["physical", "simulated", "cpu"] as const satisfies readonly z.infer<
  typeof boardKindSchema
>[];
