import type { ErrorData } from "@/lib/common/errors";
import type { EndpointStatus, Replica, RevisionView } from "./types";

/** Whether a replica answers from its revision, by the newest command. */
export function serves(replica: Replica, revision: Pick<RevisionView, "id">): boolean {
  return (
    replica.state === "serving" &&
    replica.commandId === null &&
    replica.reportedRevisionId === revision.id &&
    replica.reportedEpoch === replica.epoch
  );
}

const damage: ReadonlySet<string> = new Set([
  "ARTIFACT_MISMATCH",
  "ARTIFACT_MISSING",
  "OBJECT_DAMAGED",
]);

/** What is put right by itself: the artifact's bytes are restored or made again, and the load repeated. */
export function mends(problem: ErrorData | null): boolean {
  return problem !== null && damage.has(problem.reason);
}

/** Whether a revision answers: one of its replicas is enough. */
export function isServing(revision: RevisionView): boolean {
  return revision.replicas.some((replica) => serves(replica, revision));
}

/**
 * What an endpoint's state is, from its revisions alone.
 *
 * @param revisions The last that was asked for first.
 * @param routed The revision that the route sends to, if there is a route.
 * @param waiting Why that one has no place yet, in words.
 */
export function statusOf(
  revisions: readonly RevisionView[],
  routed: RevisionView | null,
  waiting: string | null,
): EndpointStatus {
  const newest = revisions[0];
  if (routed) return statusOfRouted(routed, newest ?? routed, waiting);
  if (!newest || newest.state === "failed")
    return {
      state: "failed",
      reason: newest?.problem?.message ?? "There is no revision.",
      problem: newest?.problem ?? null,
    };
  if (!newest.artifactDigest) return { state: "building", reason: null, problem: null };
  return statusOfLoading(newest.replicas, waiting);
}

/** The state of an endpoint that somebody paused: what answers is kept from callers, what is not ready yet is told. */
export function pausedStatus(status: EndpointStatus): EndpointStatus {
  if (status.state !== "ready") return status;
  const next = status.reason === null ? "" : ` ${status.reason}`;
  const reason = `It keeps its board and answers nothing until it is resumed.${next}`;
  return { ...status, state: "paused", reason };
}

function statusOfRouted(
  routed: RevisionView,
  newest: RevisionView,
  waiting: string | null,
): EndpointStatus {
  if (!isServing(routed))
    return {
      state: "degraded",
      reason:
        whyNotServing(routed.replicas[0]) ??
        (newest.id === routed.id ? waiting : nextOf(newest, waiting)),
      problem: routed.replicas[0]?.problem ?? null,
    };
  if (newest.id === routed.id)
    return { state: "ready", reason: whyNotAll(routed, waiting), problem: null };
  return {
    state: "ready",
    reason: nextOf(newest, waiting),
    problem: newest.state === "failed" ? newest.problem : null,
  };
}

/** How far the revision is that is to take over. */
function nextOf(next: RevisionView, waiting: string | null): string {
  const name = `Revision ${next.ordinal}`;
  if (next.state === "failed")
    return `${name} failed: ${next.problem?.message ?? "its build did not succeed"}`;
  if (!next.artifactDigest) return `${name} is being built`;
  if (waiting !== null) return `${name} waits. ${waiting}`;
  const problem = next.replicas.find((replica) => replica.problem)?.problem;
  return problem
    ? `${name} could not be loaded yet: ${problem.message}`
    : `${name} is being loaded`;
}

/** Of a revision that answers with fewer replicas than it should have. */
function whyNotAll(revision: RevisionView, waiting: string | null): string | null {
  const { wanted, replicas } = revision;
  const serving = replicas.filter((replica) => serves(replica, revision)).length;
  if (serving >= wanted) return null;
  const missing = replicas.find((replica) => !serves(replica, revision));
  const why = missing?.state === "unreachable" ? "A board server does not answer." : null;
  const problem = missing?.problem?.message ?? null;
  return `${serving} of ${wanted} replicas answer. ${problem ?? why ?? waiting ?? "The others are being loaded."}`;
}

function statusOfLoading(replicas: readonly Replica[], waiting: string | null): EndpointStatus {
  const [replica] = replicas;
  const broken = replicas.every(({ problem }) => mends(problem)) ? replica?.problem : null;
  if (broken) {
    const reason = `${broken.message} It is made again, and loaded when it is whole.`;
    return { state: "failed", reason, problem: broken };
  }
  const state = replicas.some((each) => each.state === "testing") ? "testing" : "loading";
  const reason = replica ? (replica.problem?.message ?? null) : waiting;
  return { state, reason, problem: replica?.problem ?? null };
}

function whyNotServing(replica: Replica | undefined): string | null {
  if (!replica) return null;
  if (replica.state === "unreachable" && !replica.problem)
    return "Its board server does not answer.";
  return replica.problem?.message ?? "Its board is being loaded again.";
}
