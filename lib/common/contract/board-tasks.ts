import { z } from "zod";
import { problemSchema } from "./errors";
import { isoTimeSchema } from "./names";

/** `self-test`: the 16 rows of the build run again; `blink`: a LED shows which board it is. */
const boardTaskKinds = ["self-test", "blink"] as const;
const kindSchema = z.enum(boardTaskKinds);
/** What a board server can be asked to do once with what a slot holds. */
export type BoardTaskKind = z.infer<typeof kindSchema>;

/** Something to be done once with what a slot holds. Safe to carry out twice. */
export const taskCommandSchema = z.strictObject({
  kind: kindSchema,
  id: z.string(),
  slotId: z.string(),
  slotEpoch: z.number().int(),
});
/** An order that changes nothing of what a slot holds. */
export type TaskCommand = z.infer<typeof taskCommandSchema>;

/** How a task is going, as its board server says it. */
export const taskReportSchema = z.strictObject({
  id: z.string(),
  state: z.enum(["running", "succeeded", "failed"]),
  /** Rows that were compared. */
  rows: z.number().int().optional(),
  durationMs: z.number().int().optional(),
  problem: z.strictObject({ reason: z.string(), message: z.string() }).nullable(),
});
/** What a board server says of one task in each poll, until the portal has heard its end. */
export type TaskReport = z.infer<typeof taskReportSchema>;

/** A task of a board, as people see it. */
export const boardTaskSchema = z.object({
  id: z.string(),
  kind: kindSchema,
  state: z.enum(["waiting", "running", "succeeded", "failed"]),
  place: z.number().int(),
  endpoint: z.string().nullable(),
  rows: z.number().int().nullable(),
  durationMs: z.number().nullable(),
  problem: problemSchema.nullable(),
  createdAt: isoTimeSchema,
  endedAt: isoTimeSchema.nullable(),
});
/** What was asked of a board, and how it went. */
export type BoardTask = z.infer<typeof boardTaskSchema>;
