import { useQuery } from "@tanstack/react-query";
import { endpointQuery } from "@/components/endpoints";
import type { Build, Endpoint } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";

/** What a build is to the endpoint it was asked for. */
export type Standing =
  /** It was asked for no endpoint, or nobody knows yet. */
  | { readonly kind: "none" | "unknown" }
  /** The endpoint was deleted. */
  | { readonly kind: "gone" }
  /** The endpoint answers from another build of its model, or from another model. */
  | { readonly kind: "other"; readonly endpoint: Endpoint }
  /** It is what the endpoint shows; `endpoint.state` says whether it answers. */
  | { readonly kind: "own"; readonly endpoint: Endpoint };

export function standingOf(
  build: Pick<Build, "id" | "endpointName">,
  endpoint: Endpoint | "gone" | undefined,
): Standing {
  if (build.endpointName === null) return { kind: "none" };
  if (endpoint === undefined) return { kind: "unknown" };
  if (endpoint === "gone") return { kind: "gone" };
  return { kind: endpoint.buildId === build.id ? "own" : "other", endpoint };
}

/** Where the way from model to endpoint has come to, of its four stations. */
export function reachedBy(build: Pick<Build, "state">, standing: Standing): 1 | 2 | 3 | 4 {
  if (build.state !== "succeeded") return 1;
  if (standing.kind !== "own" || standing.endpoint.boardId === null) return 2;
  return standing.endpoint.state === "ready" ? 4 : 3;
}

export function useStanding(build: Build): Standing {
  const name = build.endpointName ?? "";
  const endpoint = useQuery({ ...endpointQuery(name), enabled: name !== "" });
  const isGone = isAppError(endpoint.error) && endpoint.error.reason === "ENDPOINT_UNKNOWN";
  return standingOf(build, isGone ? "gone" : endpoint.data);
}
