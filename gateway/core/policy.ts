import type { RouteRevision } from "@/domain/routes";

/** How the requests of one revision wait and which share a call; every value resolved. */
export interface Policy {
  /** Rows that may share a call; 0: requests run alone, as they stand. */
  readonly maxRows: number;
  /** Sizes that are sent at once, ascending. */
  readonly preferredRows: readonly number[];
  /** How long the oldest waits for others. */
  readonly maxWaitMs: number;
  /** Calls at one replica at a time: one computes while the next is on its way. */
  readonly instances: number;
  /** Levels of urgency, 1 the most urgent. */
  readonly levels: number;
  readonly defaultLevel: number;
  readonly maxQueued: number;
  /** 0: no limit but the caller's own. */
  readonly timeoutMs: number;
  readonly onTimeout: "reject" | "delay";
}

const defaults = { instances: 2, maxQueued: 2048 } as const;

/** The revision's own settings, bounded by what its artifact can do. */
export function policyOf({
  maxBatchSize,
  serving = {},
}: Pick<RouteRevision, "maxBatchSize" | "serving">): Policy {
  const maxRows = Math.min(maxBatchSize, serving.maxBatchSize ?? maxBatchSize);
  const preferred = (serving.preferredBatchSizes ?? []).filter((rows) => rows <= maxRows);
  const levels = serving.priorityLevels ?? 1;
  return {
    maxRows,
    preferredRows: preferred.length > 0 ? preferred.toSorted((a, b) => a - b) : [maxRows],
    maxWaitMs: serving.maxWaitMs ?? 0,
    instances: serving.instances ?? defaults.instances,
    levels,
    defaultLevel: Math.min(serving.defaultPriority ?? levels, levels),
    maxQueued: serving.maxQueueSize ?? defaults.maxQueued,
    timeoutMs: serving.queueTimeoutMs ?? 0,
    onTimeout: serving.onTimeout ?? "reject",
  };
}
