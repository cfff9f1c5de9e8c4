import { z } from "zod";
import { searchSchema } from "./lists";
import { pageQuerySchema } from "./pages";

const most = 1_000_000;
const limit = (least: number) => z.number().int().min(least).max(most).nullable();

/** How much a project may take of the installation; null: as much as there is. */
export const quotaLimitsSchema = z.strictObject({
  /** Builds that run at the same time; further ones wait. */
  runningBuilds: limit(1),
  /** Builds of each person that run at the same time. Left out by programs of before: no limit. */
  runningBuildsEach: limit(1).default(null),
  /** Builds that wait. */
  queuedBuilds: limit(0),
  /** Minutes that builds run, within 30 days. */
  buildMinutes: limit(0),
  /** Boards that its endpoints hold, simulated ones and CPUs among them. */
  boards: limit(0),
  /** What uploads, firmware and logs take, in bytes. */
  storageBytes: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullable(),
  /** Inferences within a second, of all its endpoints. */
  requestsPerSecond: limit(1),
  /** Inferences within a second, of each person and each token. Left out by programs of before: no limit. */
  requestsPerSecondEach: limit(1).default(null),
});
/** How much a project may take of the installation. */
export type QuotaLimits = z.infer<typeof quotaLimitsSchema>;

/** What is limited. */
export type QuotaName = keyof QuotaLimits;
/** What is limited, in the order in which it is shown. */
export const quotaNames = [
  "runningBuilds",
  "runningBuildsEach",
  "queuedBuilds",
  "buildMinutes",
  "boards",
  "storageBytes",
  "requestsPerSecond",
  "requestsPerSecondEach",
] as const satisfies readonly QuotaName[];

/** Limits of a project of which nobody said anything: what keeps one from standing in the way of the others. */
export const usualQuotas: QuotaLimits = {
  runningBuilds: 8,
  runningBuildsEach: 2,
  queuedBuilds: 50,
  buildMinutes: null,
  boards: null,
  storageBytes: 100 * 2 ** 30,
  requestsPerSecond: null,
  requestsPerSecondEach: null,
};

/** Build minutes are counted for so long. */
export const buildMinutesDays = 30;

/** The limits of a project, and what it takes of them now. */
export const projectQuotasSchema = z.object({
  project: z.object({ id: z.string(), name: z.string() }),
  limits: quotaLimitsSchema,
  /** Whether they are the usual ones, since nobody set others. */
  isUsual: z.boolean(),
  used: z.object({
    runningBuilds: z.number().int(),
    queuedBuilds: z.number().int(),
    /** Within the last 30 days. */
    buildMinutes: z.number(),
    boards: z.number().int(),
    storageBytes: z.number().int(),
    /** Within the last whole minute, as gateways wrote them down. */
    requestsPerSecond: z.number(),
  }),
});
/** The limits of a project, and what it takes of them now. */
export type ProjectQuotas = z.infer<typeof projectQuotasSchema>;

/** Which projects' limits, and which page of them. */
export const quotaListQuerySchema = z.strictObject({
  ...pageQuerySchema.shape,
  /** A part of the project's name. */
  search: searchSchema.optional(),
});
/** Which projects' limits. */
export type QuotaFilter = Omit<z.output<typeof quotaListQuerySchema>, "limit" | "cursor">;
