import { claimBuild, createBuild } from "@/domain/builds";
import { withTransaction } from "@/lib/server/db";
import { iris, scope } from "./domain";

/** A build of the sample, by itself, that a worker has claimed. */
export async function claimed(
  name: string,
  worker = "worker",
): Promise<{ id: string; epoch: number }> {
  const { name: endpointName, ...request } = iris(name);
  const id = await withTransaction((tx) =>
    createBuild(tx, {
      projectId: scope,
      request,
      boardModel: "icebreaker",
      boardKind: "simulated",
      endpointName,
    }),
  );
  const attempt = await claimBuild(id, worker, { leaseS: 60, deadlineS: 600 });
  return { id, epoch: attempt?.epoch ?? 0 };
}
