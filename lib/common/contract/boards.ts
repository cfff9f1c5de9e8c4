import { z } from "zod";
import { digestSchema, isoTimeSchema } from "./names";
import { boardStateSchema, slotStateSchema } from "./states";

export const boardKindSchema = z.enum(["simulated", "cpu", "physical"]);
export type BoardKind = z.infer<typeof boardKindSchema>;

export const slotSchema = z.object({
  id: z.string(),
  index: z.number().int(),
  state: slotStateSchema,
  artifactDigest: digestSchema.nullable(),
  endpointName: z.string().nullable(),
  revisionId: z.string().nullable(),
  problem: z.string().nullable().optional(),
});

export const boardSchema = z.object({
  id: z.string(),
  name: z.string(),
  boardModel: z.string(),
  kind: boardKindSchema,
  state: boardStateSchema,
  serverId: z.string(),
  serverName: z.string(),
  heartbeatAt: isoTimeSchema.nullable(),
  slots: z.array(slotSchema),
});
export type Board = z.infer<typeof boardSchema>;

export const boardModelSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  vendor: z.string(),
  family: z.string(),
  part: z.string(),
  /** The vendor's tool that its bitstreams need, such as `Vivado`; null where open tools do. Simulated, it needs none. */
  bitstreamNeeds: z.string().nullable(),
  resources: z.record(z.string(), z.number()),
  clockHz: z.number().nullable(),
  link: z.string().nullable(),
  kinds: z.array(boardKindSchema),
});
export type BoardModelSummary = z.infer<typeof boardModelSummarySchema>;

/** Single-use code with which a board server enrols. */
export const enrolmentSchema = z.object({ code: z.string(), expiresAt: isoTimeSchema });
