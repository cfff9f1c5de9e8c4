import { z } from "zod";
import { isoTimeSchema } from "./names";

/** How tools are shut in, the best first. */
const sandboxKindSchema = z.enum(["bubblewrap", "setpriv", "none"]);
/** How well tools are shut in. */
export type SandboxKind = z.infer<typeof sandboxKindSchema>;

/** A tool that engines need, and the line that brings it. */
export const missingToolSchema = z.object({ command: z.string(), hint: z.string() });
/** A tool that is not where it would be needed. */
export type MissingTool = z.infer<typeof missingToolSchema>;

/** A process that runs builds. */
const buildWorkerSchema = z.object({
  name: z.string(),
  host: z.string(),
  sandbox: sandboxKindSchema,
  /** What is to be done for the whole sandbox; null: it has it. */
  mend: z.string().nullable(),
  /** Tools that engines need and that it has not; null: it did not look yet. */
  missing: z.array(missingToolSchema).nullable(),
  /** Versions of those that it has, by command; null: it did not look yet. */
  tools: z.record(z.string(), z.string()).nullable(),
  /** Builds that it runs at once. */
  slots: z.number().int(),
  seenAt: isoTimeSchema,
});
/** A build worker that was heard of lately. */
export type BuildWorker = z.infer<typeof buildWorkerSchema>;

const checkSchema = z.object({
  name: z.string(),
  ok: z.boolean(),
  found: z.string().nullable(),
  problem: z.string().optional(),
});
/** One thing that was looked at, and what to do where it is not well. */
export type DoctorCheck = z.infer<typeof checkSchema>;

/** What is well and what is not, from the portal's place; `ok` is false if any check failed. */
export const doctorSchema = z.object({
  ok: z.boolean(),
  checks: z.array(checkSchema),
  /** Build workers that were heard of within the last minute; null: the database cannot say. */
  buildWorkers: z.array(buildWorkerSchema).nullable(),
});
