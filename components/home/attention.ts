import type { Board, Build, Endpoint } from "@/lib/common/contract";

/** One thing that waits for a person: what is wrong, and where to do something about it. */
export interface Attention {
  readonly key: string;
  readonly tone: "bad" | "warn" | "info";
  readonly subject: string;
  readonly text: string;
  readonly href: string;
  readonly action: string;
}

const dayMs = 86_400_000;

/** What needs somebody, worst first: endpoints in trouble, silent boards, failed builds of the last day that no later build made good. */
export function attentionOf(
  facts: {
    readonly endpoints: readonly Endpoint[];
    readonly boards: readonly Board[];
    readonly builds: readonly Build[];
  },
  nowMs: number,
): readonly Attention[] {
  const failedEndpoints = facts.endpoints.filter(
    ({ state }) => state === "failed" || state === "degraded",
  );
  const named = new Set(failedEndpoints.map(({ name }) => name));
  const laterGood = (build: Build) =>
    facts.builds.some(
      (other) =>
        other.endpointName === build.endpointName &&
        other.createdAt > build.createdAt &&
        other.state !== "failed" &&
        other.state !== "timed_out",
    );
  return [
    ...failedEndpoints.map(
      ({ name, state, problem, reason, buildId }): Attention => ({
        key: `endpoint ${name}`,
        tone: state === "failed" ? "bad" : "warn",
        subject: name,
        text: problem?.message ?? reason ?? `is ${state}`,
        href: state === "failed" && buildId ? `/builds/${buildId}` : `/endpoints/${name}`,
        action: state === "failed" ? "Look at the build" : "Open",
      }),
    ),
    ...facts.boards
      .filter(({ state }) => state === "offline")
      .map(
        ({ id, name, serverName }): Attention => ({
          key: `board ${id}`,
          tone: "warn",
          subject: name,
          text: `has not been heard; its board server is ${serverName}`,
          href: `/boards#${id}`,
          action: "Look at the board",
        }),
      ),
    ...facts.builds
      .filter(
        (build) =>
          (build.state === "failed" || build.state === "timed_out") &&
          nowMs - Date.parse(build.createdAt) < dayMs &&
          !(build.endpointName !== null && named.has(build.endpointName)) &&
          !laterGood(build),
      )
      .map(
        ({ id, endpointName, problem, state }): Attention => ({
          key: `build ${id}`,
          tone: "bad",
          subject: endpointName ?? "A build",
          text: problem?.message ?? (state === "timed_out" ? "took too long" : "failed"),
          href: `/builds/${id}`,
          action: "Look at the build",
        }),
      ),
  ];
}
