import type { BuildWait } from "@/lib/common/contract";

/** A build of somebody's project, which may run so many at once; null: any number. */
interface OfProject {
  readonly id: string;
  readonly projectId: string;
  readonly projectMost: number | null;
}

/**
 * Why each build waits, if workers take those that wait in turn and pass over those whose project runs as many as it may.
 *
 * @param queue `slots`: builds that all workers run at once; `isAway`: workers are not told of builds.
 */
export function waitReasons(queue: {
  readonly workers: number;
  readonly slots: number;
  readonly isAway: boolean;
  readonly running: readonly OfProject[];
  readonly waiting: readonly OfProject[];
}): ReadonlyMap<string, BuildWait["reason"]> {
  const { workers, slots, isAway, running, waiting } = queue;
  const taken = new Map<string, number>();
  const take = ({ projectId }: OfProject) => taken.set(projectId, (taken.get(projectId) ?? 0) + 1);
  for (const build of running) take(build);
  let free = slots - running.length;
  const reasonOf = (build: OfProject): BuildWait["reason"] => {
    if (workers === 0) return "no-worker";
    const { projectId, projectMost } = build;
    if (projectMost !== null && (taken.get(projectId) ?? 0) >= projectMost) return "quota";
    if (isAway) return "no-queue";
    if (free <= 0) return "workers-busy";
    free--;
    take(build);
    return "next";
  };
  return new Map(waiting.map((build) => [build.id, reasonOf(build)]));
}
