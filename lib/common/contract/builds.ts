import { z } from "zod";
import { reportSchema } from "./artifacts";
import { newRevisionSchema } from "./endpoints";
import { problemSchema } from "./errors";
import { digestSchema, isoTimeSchema } from "./names";
import { largestOrdinal } from "./ordinals";
import { buildPrioritySchema, buildStateSchema, stageNameSchema, stageStateSchema } from "./states";

/** A clock that was tried, and what placement reached; null until that is known. */
const clockTrySchema = z.object({
  hz: z.number(),
  achievedMhz: z.number().nullable(),
  isMet: z.boolean().nullable(),
});
/** One step of a ladder of clocks. */
export type ClockTry = z.infer<typeof clockTrySchema>;

/** One time that a stage ran: a ladder of clocks enters some again and again. */
const stageRunSchema = z.object({
  startedAt: isoTimeSchema,
  endedAt: isoTimeSchema.nullable(),
  state: stageStateSchema,
  /** The clock that it was for, where it was for one. */
  clock: clockTrySchema.optional(),
});
/** When a stage ran, how it ended, and for which clock. */
export type StageRun = z.infer<typeof stageRunSchema>;

/** A stage of the latest attempt, with its duration and its lines in the log. */
export const stageSchema = z.object({
  name: stageNameSchema,
  state: stageStateSchema,
  durationMs: z.number().nullable(),
  startedAt: isoTimeSchema.nullable().optional(),
  /** Why it is skipped, where that is not plain. */
  reason: z.string().optional(),
  /** Log lines of the stage: the first and the last number, absent while it has none. */
  firstLine: z.number().int().nullable().optional(),
  lastLine: z.number().int().nullable().optional(),
  /** Each time that it ran, in order; absent in builds of earlier versions. */
  runs: z.array(stageRunSchema).optional(),
});
/** How far one stage is. */
export type Stage = z.infer<typeof stageSchema>;

/** What a queued build may wait for: a worker, one after its own was lost, the end of an equal build, or room in its project's quota. */
const buildWaits = ["worker", "worker-after-loss", "equal-build", "quota"] as const;
/** What a build waits for. */
export type BuildWaitsFor = (typeof buildWaits)[number];

/** A build with its stages, and its report as far as it was measured. */
export const buildSchema = z.object({
  id: z.string(),
  state: buildStateSchema,
  stages: z.array(stageSchema),
  /** True when the artifact of an earlier equal build was taken. */
  reused: z.boolean(),
  reusedFrom: z.string().nullable().optional(),
  cancelling: z.boolean(),
  attempt: z.number().int(),
  engine: z.string(),
  boardModel: z.string(),
  boardKind: z.enum(["simulated", "cpu", "physical"]),
  modelUrl: z.string(),
  /** What the file was called, of a model that was uploaded. */
  modelName: z.string().optional(),
  /** What was asked of the engine, besides the model and the board; absent where nothing was. */
  options: z.record(z.string(), z.unknown()).optional(),
  /** All that was asked for, so that it can be asked for again; lists leave it out. */
  request: newRevisionSchema.optional(),
  endpointName: z.string().nullable(),
  /** Its place in the queue follows it; it can be changed while the build is queued. */
  priority: buildPrioritySchema,
  /** Words that people gave it. */
  labels: z.array(z.string()),
  planDigest: digestSchema.nullable(),
  artifactDigest: digestSchema.nullable(),
  problem: problemSchema.nullable(),
  report: reportSchema.optional(),
  lines: z.number().int(),
  logTruncated: z.boolean().optional(),
  createdAt: isoTimeSchema,
  startedAt: isoTimeSchema.nullable(),
  endedAt: isoTimeSchema.nullable(),
  /** Why the build waits, in words, while it is queued. */
  waitingFor: z.string().nullable().optional(),
  /** The same as a word for programs. */
  waitsFor: z.enum(buildWaits).nullable().optional(),
});
/** A build as lists and its own page show it. */
export type Build = z.infer<typeof buildSchema>;

/** How urgent a build that waits is to be. */
export const newPrioritySchema = z.strictObject({ priority: buildPrioritySchema });

/** How far back the overview of builds goes. */
export const buildOverviewHours = 24;

/** Builds by how they went; `succeeded` are those that made their artifact themselves. */
const buildCountsSchema = z.object({
  succeeded: z.number().int(),
  reused: z.number().int(),
  failed: z.number().int(),
  cancelled: z.number().int(),
  underWay: z.number().int(),
});
/** Builds of one hour, by how they went. */
export type BuildCounts = z.infer<typeof buildCountsSchema>;

/** The builds of the last 24 hours, all of them counted. */
export const buildOverviewSchema = z.object({
  /** Under way now, whenever they were asked for. */
  underWay: z.number().int(),
  /** By the hour in which they were asked for, oldest first; the last is the hour that ends now. */
  hours: z.array(buildCountsSchema).length(buildOverviewHours),
  /** How long those took that made their artifact; null if none did. */
  medianMs: z.number().nullable(),
  /** The newest few. */
  newest: z.array(buildSchema),
  /** Failed ones, newest first, whose endpoint is there and has had no better build since. */
  failures: z.array(buildSchema),
});
/** What the home page says of the builds. */
export type BuildOverview = z.infer<typeof buildOverviewSchema>;

/** One numbered line of a build's log; its address is `<attempt>:<n>`, `n` dense from 1. */
export const logLineSchema = z.object({
  n: z.number().int(),
  time: isoTimeSchema,
  stage: stageNameSchema,
  stream: z.enum(["stdout", "stderr", "boardwalk"]),
  level: z.enum(["info", "warning", "error"]),
  /** SGR colour sequences are kept, every other escape is gone. */
  text: z.string(),
  /** Where the line starts in the stored bytes of the attempt's log. */
  offset: z.number().int().optional(),
});
/** A line of a log with its stage, stream and level. */
export type LogLine = z.infer<typeof logLineSchema>;

/** Consecutive lines of one attempt; `final` says that no more will come. */
export const logPageSchema = z.object({
  attempt: z.number().int(),
  lines: z.array(logLineSchema),
  /** Lines of the attempt so far. */
  total: z.number().int(),
  final: z.boolean(),
});

/** Lines of one stage in a row, with what is wrong among them. */
const logFoldSchema = z.object({
  stage: stageNameSchema,
  /** Numbers of its first and last line, and when they were written. */
  first: z.number().int(),
  last: z.number().int(),
  firstTime: isoTimeSchema,
  lastTime: isoTimeSchema,
  warnings: z.number().int(),
  errors: z.number().int(),
});
/** Lines of one stage in a row. A stage that runs again, at a lower clock, makes a fold of its own. */
export type LogFold = z.infer<typeof logFoldSchema>;

const logProblemSchema = z.object({
  /** The same for all lines that say the same but for figures. */
  key: z.string(),
  /** By which we know it, with its tool; null where we do not. */
  id: z.string().nullable(),
  tool: z.string().nullable(),
  stage: stageNameSchema,
  level: z.enum(["warning", "error"]),
  /** What the first of its lines says, without colours. */
  text: z.string(),
  first: z.number().int(),
  count: z.number().int(),
});
/** A warning or error of a log, however often it was said. */
export type LogProblem = z.infer<typeof logProblemSchema>;

/** What a log holds, without its lines. */
export const logOutlineSchema = z.object({
  lines: z.number().int(),
  folds: z.array(logFoldSchema),
  problems: z.array(logProblemSchema),
  /** Lines of problems beyond those that are told apart. */
  moreProblems: z.number().int(),
  /** Number of the first line that is an error. */
  firstError: z.number().int().nullable(),
});
/** Stages, counts and problems of a log. */
export type LogOutline = z.infer<typeof logOutlineSchema>;

/** The outline of an attempt's log; `final` says that it grows no more. */
export const attemptOutlineSchema = logOutlineSchema.extend({
  attempt: z.number().int(),
  final: z.boolean(),
  truncated: z.boolean(),
});
/** What the log of an attempt holds. */
export type AttemptOutline = z.infer<typeof attemptOutlineSchema>;

/** Which attempt of a build is meant, counted from 1; without one, the newest. */
export const attemptQuerySchema = z.coerce.number().int().min(1).max(largestOrdinal).optional();

/** What is looked for in a log. */
export const logSearchQuerySchema = z.strictObject({
  attempt: attemptQuerySchema,
  text: z.string().min(1).max(200),
  /** Whether capital and small letters differ. */
  case: z.enum(["any", "exact"]).default("any"),
  /** Whether the text is looked for as it stands, or as a regular expression in JavaScript's syntax. */
  syntax: z.enum(["text", "regex"]).default("text"),
});

/** Where a text or a pattern stands in a whole log, folded lines and all. */
export const logSearchSchema = z.object({
  attempt: z.number().int(),
  /** Lines of the log that were looked through. */
  lines: z.number().int(),
  /** Lines that hold the text, all of them. */
  total: z.number().int(),
  /** Their numbers, the first ten thousand. */
  numbers: z.array(z.number().int()),
  stages: z.array(z.object({ stage: stageNameSchema, count: z.number().int() })),
});
/** What was found in a log. */
export type LogSearch = z.infer<typeof logSearchSchema>;

/** With which build a log is compared. */
export const logDifferenceQuerySchema = z.strictObject({ with: z.string().min(1).max(100) });

/** The place in one of two logs; `line` is null where that log ends before the other. */
const logPlaceSchema = z.object({
  attempt: z.number().int(),
  line: logLineSchema
    .pick({ n: true, stage: true, level: true })
    .extend({ text: z.string() })
    .nullable(),
});

/** Where the logs of two builds first differ, but for times, memory, temporary folders and ids. */
export const logDifferenceSchema = z.object({
  /** Lines that say something and are the same in both, before the first that differs. */
  same: z.number().int(),
  /** Null where the two say the same, as far as they go. */
  first: z.object({ here: logPlaceSchema, there: logPlaceSchema }).nullable(),
  /** False while one of the builds may still write. */
  final: z.boolean(),
});
/** The first line that differs between two logs. */
export type LogDifference = z.infer<typeof logDifferenceSchema>;
