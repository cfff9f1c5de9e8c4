import { z } from "zod";
import { bondArchSchema, firmwareNameSchema, grpcAddressSchema } from "../bond";
import { isoTimeSchema } from "./names";

const trialSchema = z.strictObject({
  /** A firmware that lies in the board's own store. */
  bitstream: firmwareNameSchema,
  /** Numbers of one row that the firmware takes. */
  inputs: z.number().int().min(1).max(65_536),
  arch: bondArchSchema,
});

/** A board at an address, as its board server is told of it. */
export const attachedBoardSchema = z.strictObject({
  /** Of the attachment: another one may have the same name later. */
  id: z.string(),
  /** Its name on its server. */
  key: z.string(),
  boardModel: z.string(),
  kind: z.literal("bond-grpc"),
  address: grpcAddressSchema,
  trial: trialSchema,
});
/** A board that is reached over gRPC. */
export type AttachedBoard = z.infer<typeof attachedBoardSchema>;

/** What a trial does, in this order. */
export const trialStepNames = ["connect", "load", "predict"] as const;

/** How far one step of a trial came; `message` says what was seen, or what is wrong. */
export const trialStepSchema = z.strictObject({
  name: z.enum(trialStepNames),
  state: z.enum(["waiting", "running", "succeeded", "failed"]),
  message: z.string().max(600).optional(),
  reason: z.string().max(80).optional(),
  hint: z.string().max(300).optional(),
  durationMs: z.number().int().nonnegative().optional(),
});
/** A step as people see it. */
export type TrialStep = z.infer<typeof trialStepSchema>;

/** What a board server says of a trial. */
export const trialReportSchema = z.strictObject({
  /** Of the attachment. */
  id: z.string(),
  steps: z.array(trialStepSchema).length(trialStepNames.length),
});
/** All steps of the trial of one attached board. */
export type TrialReport = z.infer<typeof trialReportSchema>;

/** Attaches the board at an address, and tries it at once. */
export const newAttachmentSchema = z.strictObject({
  /** The board server that speaks with it; may be left out where there is only one. */
  serverId: z.string().max(80).optional(),
  boardModel: z.string().max(63),
  address: grpcAddressSchema,
  bitstream: firmwareNameSchema,
  inputs: trialSchema.shape.inputs,
  /** Left out: that of the board model. */
  arch: bondArchSchema.optional(),
});
/** What a person says of a board at an address. */
export type NewAttachment = z.infer<typeof newAttachmentSchema>;

/** An attached board with its trial. */
export const attachmentSchema = z.object({
  id: z.string(),
  serverId: z.string(),
  serverName: z.string(),
  key: z.string(),
  boardModel: z.string(),
  address: z.string(),
  bitstream: z.string(),
  /** `attached`: it passed, and is a board like any other. */
  state: z.enum(["testing", "attached", "refused"]),
  steps: z.array(trialStepSchema),
  createdAt: isoTimeSchema,
});
/** An attachment as lists show it. */
export type Attachment = z.infer<typeof attachmentSchema>;
