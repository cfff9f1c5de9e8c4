import type { BuildPriority } from "@/lib/common/contract";

/** Priorities as the database orders them. */
export const priorityRanks = { high: 1, normal: 0, low: -1 } as const satisfies Record<
  BuildPriority,
  number
>;

/** The word for a rank of the database. */
export const priorityOf = (rank: number): BuildPriority =>
  rank > 0 ? "high" : rank < 0 ? "low" : "normal";
