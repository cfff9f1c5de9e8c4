import { z } from "zod";

/** Every state of a build, in the order in which a build goes through them; the last four are final. */
export const buildStates = [
  "queued",
  "preparing",
  "running",
  "succeeded",
  "failed",
  "cancelled",
  "timed_out",
] as const;
/** `succeeded` means proven, signed and stored; `cancelled` and `timed_out` are no faults of the model. */
export const buildStateSchema = z.enum(buildStates);
/** Where a build stands; `domain/builds/states.ts` says which change may follow which. */
export type BuildState = z.infer<typeof buildStateSchema>;
/** States that a build never leaves. */
export const finalBuildStates: ReadonlySet<BuildState> = new Set([
  "succeeded",
  "failed",
  "cancelled",
  "timed_out",
]);

/** What is built first, of builds that wait: the higher priority, and among equal ones the one that has waited longest. */
export const buildPriorities = ["high", "normal", "low"] as const;
export const buildPrioritySchema = z.enum(buildPriorities);
/** How urgent a build is. */
export type BuildPriority = z.infer<typeof buildPrioritySchema>;

/** Every state of a board. */
export const boardStates = [
  "free",
  "leased",
  "programming",
  "serving",
  "degraded",
  "offline",
] as const;
/** `degraded`: some slots do not answer; `offline`: its board server is silent. */
export const boardStateSchema = z.enum(boardStates);
/** Where a board stands, worked out from its slots and its server's heartbeat. */
export type BoardState = z.infer<typeof boardStateSchema>;

/** `unknown`: not reported yet; `unreachable`: its board server is silent. */
export const slotStateSchema = z.enum([
  "empty",
  "loading",
  "testing",
  "serving",
  "unknown",
  "unreachable",
]);
/** What a slot does now, as its board server reports it. */
export type SlotState = z.infer<typeof slotStateSchema>;

/** `ready` and `degraded` answer requests; `degraded`: a board that should answer is silent. */
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
/** Where an endpoint stands: first its build, then its slots decide. */
export type EndpointState = z.infer<typeof endpointStateSchema>;

/** The stages of a build in their usual order; a flow may skip some. */
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
/** One stage of a build, as logs and pages name it. */
export const stageNameSchema = z.enum(stageNames);
/** The stage that a log line or a duration belongs to. */
export type StageName = z.infer<typeof stageNameSchema>;
/** `skipped`: the build needs no such stage, or ended before it. */
export const stageStateSchema = z.enum([
  "waiting",
  "running",
  "succeeded",
  "failed",
  "cancelled",
  "skipped",
]);
/** How a stage went in the latest attempt. */
export type StageState = z.infer<typeof stageStateSchema>;

/** `retired`: a later revision answers in its place. */
export const revisionStateSchema = z.enum(["building", "ready", "failed", "retired"]);
