import type { BuildWait } from "@/lib/common/contract";

/** A build of somebody and their project, which may run so many at once; null: any number. */
interface OfProject {
  readonly id: string;
  readonly projectId: string;
  readonly projectMost: number | null;
  /** Null: nobody's. */
  readonly personId: string | null;
  readonly personMost: number | null;
}

/**
 * Why each build waits, if workers take those that wait in turn and pass over those whose project or person runs as many as it may.
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
  const ofPerson = ({ projectId, personId }: OfProject) => `${projectId} ${personId}`;
  const take = (build: OfProject) => {
    for (const who of [build.projectId, ofPerson(build)]) taken.set(who, (taken.get(who) ?? 0) + 1);
  };
  const isFull = (who: string, most: number | null) =>
    most !== null && (taken.get(who) ?? 0) >= most;
  for (const build of running) take(build);
  let free = slots - running.length;
  const reasonOf = (build: OfProject): BuildWait["reason"] => {
    if (workers === 0) return "no-worker";
    if (isFull(build.projectId, build.projectMost)) return "quota";
    if (build.personId !== null && isFull(ofPerson(build), build.personMost)) return "own-quota";
    if (isAway) return "no-queue";
    if (free <= 0) return "workers-busy";
    free--;
    take(build);
    return "next";
  };
  return new Map(waiting.map((build) => [build.id, reasonOf(build)]));
}
