import { z } from "zod";
import { stageSchema } from "./builds";
import { isoTimeSchema } from "./names";
import { buildPrioritySchema, buildStateSchema, stageNameSchema } from "./states";

/** The middle one of earlier builds, and those that a quarter of them lie below and above, in milliseconds. */
const spreadSchema = z.object({ medianMs: z.number(), lowMs: z.number(), highMs: z.number() });

/** How long a stage usually takes, and how long after the attempt's beginning it usually begins. */
const usualStageSchema = z.object({
  name: stageNameSchema,
  builds: z.number().int(),
  startMs: z.number(),
  ...spreadSchema.shape,
});
/** A stage as earlier builds went through it. */
export type UsualStage = z.infer<typeof usualStageSchema>;

/** What earlier successful builds by the same engine for the same board took; those that reused an artifact do not count. */
const usualSchema = z.object({
  builds: z.number().int(),
  /** From claim to end; null where there were none. */
  total: spreadSchema.nullable(),
  stages: z.array(usualStageSchema),
});
/** What is usual for an engine on a board. */
export type Usual = z.infer<typeof usualSchema>;

/**
 * Why a build waits: no worker is alive, all of them are busy, one is about to take it, an equal build runs, or its project, or the
 * person who asked for it, runs as many as it may at once.
 */
const waitReasonSchema = z.enum([
  "no-worker",
  "no-queue",
  "workers-busy",
  "next",
  "equal-build",
  "quota",
  "own-quota",
]);

/** Where a build stands that waits. */
export const buildWaitSchema = z.object({
  reason: waitReasonSchema,
  /** Its place among those that wait for a worker, from 1; null while it waits for an equal build, or for its own project. */
  place: z.number().int().nullable(),
  /** How many wait for a worker. */
  waiting: z.number().int(),
  /** Build workers that are alive, and builds that they can run at once. */
  workers: z.number().int(),
  slots: z.number().int(),
  /** Builds that its project may run at once; null: any number. */
  projectMost: z.number().int().nullable(),
  /** The same of each person in it. */
  personMost: z.number().int().nullable(),
  /** When a worker is expected to take it; null where nothing tells. */
  expectedStartAt: isoTimeSchema.nullable(),
});
/** Why a build waits, at which place, and until when. */
export type BuildWait = z.infer<typeof buildWaitSchema>;

/** How an attempt ended; null while it runs. */
const outcomeSchema = z.string().nullable();

/** One build as a story: when it waited, what each attempt did when, and what is usual. */
export const buildTimelineSchema = z.object({
  /** By the clock of the database, at the time of the answer. */
  now: isoTimeSchema,
  /** When it waited for a worker; the last one is open while it still does. */
  queued: z.array(z.object({ from: isoTimeSchema, to: isoTimeSchema.nullable() })),
  attempts: z.array(
    z.object({
      attempt: z.number().int(),
      startedAt: isoTimeSchema,
      endedAt: isoTimeSchema.nullable(),
      outcome: outcomeSchema,
      stages: z.array(stageSchema),
    }),
  ),
  usual: usualSchema,
  /** What the forecast of its plan says for the whole build; null before it is planned, and where there is none. */
  expectedMs: z.number().nullable(),
  wait: buildWaitSchema.nullable(),
});
/** When a build did what, and when it will be over. */
export type BuildTimeline = z.infer<typeof buildTimelineSchema>;

/** A build that waits or runs, as the queue tells of it. */
const queuedBuildSchema = z.object({
  id: z.string(),
  endpointName: z.string().nullable(),
  modelUrl: z.string(),
  /** What the file was called, of a model that was uploaded. */
  modelName: z.string().optional(),
  boardModel: z.string(),
  createdAt: isoTimeSchema,
  priority: buildPrioritySchema,
  wait: buildWaitSchema,
});
/** A build in the queue. */
export type QueuedBuild = z.infer<typeof queuedBuildSchema>;

/** Who builds, and who waits for that. */
export const buildQueueSchema = z.object({
  workers: z.array(
    z.object({
      name: z.string(),
      host: z.string(),
      /** Builds that it runs at once. */
      slots: z.number().int(),
      running: z.number().int(),
      seenAt: isoTimeSchema,
    }),
  ),
  /** When a worker was heard of last; null: none ever was, or it took leave. */
  lastSeenAt: isoTimeSchema.nullable(),
  running: z.number().int(),
  waiting: z.number().int(),
  /** The first of those that wait. */
  next: z.array(queuedBuildSchema),
});
/** The build workers and the queue before them. */
export type BuildQueue = z.infer<typeof buildQueueSchema>;

/** How far back a trend goes. */
export const trendWindows = ["24h", "7d"] as const;
/** A day by hours, or a week by days. */
export type TrendWindow = (typeof trendWindows)[number];
/** What a trend is asked with. */
export const trendQuerySchema = z.strictObject({ window: z.enum(trendWindows).default("24h") });

const trendStepSchema = z.object({
  from: isoTimeSchema,
  succeeded: z.number().int(),
  reused: z.number().int(),
  failed: z.number().int(),
  cancelled: z.number().int(),
  underWay: z.number().int(),
  /** Medians of those that a worker took: how long they waited for it, and how long it took; null if there were none. */
  waitMs: z.number().nullable(),
  runMs: z.number().nullable(),
});
/** What was asked for in one hour or day, and how it went. */
export type TrendStep = z.infer<typeof trendStepSchema>;

/** Throughput and failures by hour or day, and how the last builds of each model went. */
export const buildTrendSchema = z.object({
  window: z.enum(trendWindows),
  steps: z.array(trendStepSchema),
  models: z.array(
    z.object({
      modelUrl: z.string(),
      /** What the file was called, if it was uploaded. */
      modelName: z.string().optional(),
      /** Oldest first, ten at most. */
      builds: z.array(
        z.object({
          id: z.string(),
          state: buildStateSchema,
          reused: z.boolean(),
          createdAt: isoTimeSchema,
        }),
      ),
    }),
  ),
});
/** How builds went lately. */
export type BuildTrend = z.infer<typeof buildTrendSchema>;
