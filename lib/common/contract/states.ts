import { z } from "zod";

export const buildStates = [
  "queued",
  "preparing",
  "running",
  "succeeded",
  "failed",
  "cancelled",
  "timed_out",
] as const;
export const buildStateSchema = z.enum(buildStates);
export type BuildState = z.infer<typeof buildStateSchema>;
export const finalBuildStates: ReadonlySet<BuildState> = new Set([
  "succeeded",
  "failed",
  "cancelled",
  "timed_out",
]);

export const boardStateSchema = z.enum([
  "free",
  "leased",
  "programming",
  "serving",
  "degraded",
  "offline",
]);
export type BoardState = z.infer<typeof boardStateSchema>;

export const slotStateSchema = z.enum([
  "empty",
  "loading",
  "testing",
  "serving",
  "unknown",
  "unreachable",
]);
export type SlotState = z.infer<typeof slotStateSchema>;

export const endpointStateSchema = z.enum([
  "building",
  "loading",
  "testing",
  "ready",
  "degraded",
  "asleep",
  "paused",
  "deleting",
  "failed",
]);
export type EndpointState = z.infer<typeof endpointStateSchema>;

export const stageNames = [
  "fetch",
  "inspect",
  "plan",
  "synthesise",
  "place",
  "pack",
  "simulate",
  "verify",
  "store",
] as const;
export const stageNameSchema = z.enum(stageNames);
export type StageName = z.infer<typeof stageNameSchema>;
export const stageStateSchema = z.enum([
  "waiting",
  "running",
  "succeeded",
  "failed",
  "cancelled",
  "skipped",
]);
export type StageState = z.infer<typeof stageStateSchema>;

export const revisionStateSchema = z.enum(["building", "ready", "failed", "retired"]);
export type RevisionState = z.infer<typeof revisionStateSchema>;
