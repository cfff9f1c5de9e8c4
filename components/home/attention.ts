import type { useTranslations } from "next-intl";
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

/** What needs somebody, worst first: endpoints in trouble, silent boards, failed builds. */
export function attentionOf(
  facts: {
    readonly endpoints: readonly Endpoint[];
    readonly boards: readonly Board[];
    /** Failed ones that need somebody, as the server tells. */
    readonly failures: readonly Build[];
  },
  t: ReturnType<typeof useTranslations<"home.attention">>,
  stateName: (state: Endpoint["state"]) => string,
): readonly Attention[] {
  const failedEndpoints = facts.endpoints.filter(
    ({ state }) => state === "failed" || state === "degraded",
  );
  const named = new Set(failedEndpoints.map(({ name }) => name));
  return [
    ...failedEndpoints.map(
      ({ name, state, problem, reason, buildId }): Attention => ({
        key: `endpoint ${name}`,
        tone: wasCancelled(problem) ? "info" : state === "failed" ? "bad" : "warn",
        subject: name,
        text: wasCancelled(problem)
          ? t("cancelled")
          : (problem?.message ?? reason ?? t("state", { state: stateName(state) })),
        href: state === "failed" && buildId ? `/builds/${buildId}` : `/endpoints/${name}`,
        action: state === "failed" ? t("lookBuild") : t("open"),
      }),
    ),
    ...facts.boards
      .filter(({ state }) => state === "offline")
      .map(
        ({ id, name, serverName }): Attention => ({
          key: `board ${id}`,
          tone: "warn",
          subject: name,
          text: t("silent", { server: serverName }),
          href: `/boards/${id}`,
          action: t("lookBoard"),
        }),
      ),
    ...facts.failures
      .filter(({ endpointName }) => endpointName === null || !named.has(endpointName))
      .map(
        ({ id, endpointName, problem, state }): Attention => ({
          key: `build ${id}`,
          tone: "bad",
          subject: endpointName ?? t("aBuild"),
          text: problem?.message ?? (state === "timed_out" ? t("tooLong") : t("failed")),
          href: `/builds/${id}`,
          action: t("lookBuild"),
        }),
      ),
  ];
}

/** Somebody wanted it so: no fault, though the endpoint waits. */
const wasCancelled = (problem: Endpoint["problem"]) => problem?.reason === "CANCELLED";
