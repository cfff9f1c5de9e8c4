import type { EndpointStatus, Replica, RevisionView } from "./types";

/** Whether a replica answers from its revision, by the newest command. */
export function isServing(revision: RevisionView): boolean {
  const { replica } = revision;
  return (
    replica !== null &&
    replica.state === "serving" &&
    replica.commandId === null &&
    replica.reportedRevisionId === revision.id &&
    replica.reportedEpoch === replica.epoch
  );
}

/**
 * What an endpoint's state is, from its revisions alone.
 *
 * @param revisions Newest first.
 * @param routed The revision that the route sends to, if there is a route.
 * @param waiting Why the newest has no place yet, in words.
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
  return statusOfLoading(newest.replica, waiting);
}

/** The state of an endpoint that somebody unloaded: what answers is kept from callers, what is not ready yet is told. */
export function pausedStatus(status: EndpointStatus): EndpointStatus {
  if (status.state !== "ready") return status;
  return { ...status, state: "paused", reason: "It was unloaded; load it to serve it again." };
}

function statusOfRouted(
  routed: RevisionView,
  newest: RevisionView,
  waiting: string | null,
): EndpointStatus {
  if (!isServing(routed))
    return {
      state: "degraded",
      reason: whyNotServing(routed.replica) ?? waiting,
      problem: routed.replica?.problem ?? null,
    };
  if (newest.id === routed.id) return { state: "ready", reason: null, problem: null };
  const next =
    newest.state === "failed"
      ? `failed: ${newest.problem?.message ?? "its build did not succeed"}`
      : newest.artifactDigest
        ? (waiting ?? "is being loaded")
        : "is being built";
  return {
    state: "ready",
    reason: `Revision ${newest.ordinal} ${next}`,
    problem: newest.state === "failed" ? newest.problem : null,
  };
}

function statusOfLoading(replica: Replica | null, waiting: string | null): EndpointStatus {
  const state = replica?.state === "testing" ? "testing" : "loading";
  const reason = replica ? (replica.problem?.message ?? null) : waiting;
  return { state, reason, problem: replica?.problem ?? null };
}

function whyNotServing(replica: Replica | null): string | null {
  if (!replica) return null;
  if (replica.state === "unreachable") return "Its board server does not answer.";
  return replica.problem?.message ?? "Its board is being loaded again.";
}
