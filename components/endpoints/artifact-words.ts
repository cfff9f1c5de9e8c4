import type { useTranslations } from "next-intl";
import { shortDigest } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";

/** How many of model, artifact, board and endpoint an endpoint has reached. */
export function reached({
  artifactDigest,
  boardId,
  state,
}: Pick<Endpoint, "artifactDigest" | "boardId" | "state">): 1 | 2 | 3 | 4 {
  if (artifactDigest === null) return 1;
  if (boardId === null) return 2;
  return state === "ready" ? 4 : 3;
}

/** What stands at the artifact's place of the way: its digest, or why there is none. */
export function artifactWords(
  { artifactDigest, state, problem }: Pick<Endpoint, "artifactDigest" | "state" | "problem">,
  t: ReturnType<typeof useTranslations<"endpoints">>,
): string {
  if (artifactDigest !== null) return shortDigest(artifactDigest);
  if (state === "building") return t("artifact.building");
  return t(problem?.reason === "CANCELLED" ? "artifact.cancelled" : "artifact.none");
}
