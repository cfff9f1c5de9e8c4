import { z } from "zod";
import { digestSchema, isoTimeSchema } from "./names";
import { boardStateSchema, slotStateSchema } from "./states";

/** `simulated` runs the compiled design in software, `cpu` the model itself, `physical` a bitstream on a cable. */
export const boardKindSchema = z.enum(["simulated", "cpu", "physical"]);
/** How a board comes to its answers. */
export type BoardKind = z.infer<typeof boardKindSchema>;

/** Whose firmware a board takes: Boardwalk's artifacts, or firmware of BondMachine's original system. */
export const loadsSchema = z.enum(["boardwalk", "bondmachine"]);
/** What a board can be given to load. */
export type Loads = z.infer<typeof loadsSchema>;

/** A place on a board that holds one artifact at a time. */
export const slotSchema = z.object({
  id: z.string(),
  index: z.number().int(),
  state: slotStateSchema,
  artifactDigest: digestSchema.nullable(),
  endpointName: z.string().nullable(),
  revisionId: z.string().nullable(),
  problem: z.string().nullable().optional(),
});

/** `move`: what a drained board holds is loaded elsewhere, then it lets go of it; `keep`: it stays, and nothing new comes. */
const drainModeSchema = z.enum(["move", "keep"]);
/** What becomes of what a drained board holds. */
export type DrainMode = z.infer<typeof drainModeSchema>;

/** How a board is drained; without a word, what it holds is moved. */
export const newDrainSchema = z.strictObject({ loaded: drainModeSchema.default("move") });

/** A board that some board server has, with its slots. */
export const boardSchema = z.object({
  id: z.string(),
  name: z.string(),
  boardModel: z.string(),
  kind: boardKindSchema,
  /** Boards at an address load BondMachine's firmware, all others Boardwalk's. */
  loads: loadsSchema,
  state: boardStateSchema,
  serverId: z.string(),
  serverName: z.string(),
  heartbeatAt: isoTimeSchema.nullable(),
  /** It is drained for maintenance: its free places take nothing. Absent: they do. */
  drain: z.object({ since: isoTimeSchema, loaded: drainModeSchema }).optional(),
  /** Somebody has it for a time; of other projects only the end is told. Absent: nobody. */
  lease: z
    .object({
      id: z.string().nullable(),
      until: isoTimeSchema,
      isOurs: z.boolean(),
      /** Null: of another project, or of an installation without accounts. */
      person: z.string().nullable(),
    })
    .optional(),
  slots: z.array(slotSchema),
});
/** A board as lists and its own page show it; `heartbeatAt` is its server's last word. */
export type Board = z.infer<typeof boardSchema>;

/** A board model of the catalogue, in short, with the kinds that can be had here. */
export const boardModelSummarySchema = z.object({
  id: z.string(),
  /** What other projects call it; taken wherever its id is. */
  aliases: z.array(z.string()),
  name: z.string(),
  vendor: z.string(),
  family: z.string(),
  part: z.string(),
  /** The vendor's tool that its bitstreams need, such as `Vivado`; null where open tools do. Simulated, it needs none. */
  bitstreamNeeds: z.string().nullable(),
  resources: z.record(z.string(), z.number()),
  clockHz: z.number().nullable(),
  link: z.string().nullable(),
  /** Whether somebody has served a model from a real one; simulated boards run the same design. */
  verifiedOnHardware: z.boolean(),
  kinds: z.array(boardKindSchema),
});
/** A board model as people choose it. */
export type BoardModelSummary = z.infer<typeof boardModelSummarySchema>;

/** Single-use code with which a board server enrols. */
export const enrolmentSchema = z.object({ code: z.string(), expiresAt: isoTimeSchema });
