import { useMutation, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type Build, finalBuildStates } from "@/lib/common/contract";
import { canRetry, isReason, reasons } from "@/lib/common/errors";
import { archiveUrl, cancelBuild, retryBuild } from "./api";
import { useStanding } from "./standing";

/** What can be done to a build that is shown: ended before its end, or asked for again. */
export function useBuildActions(id: string) {
  const client = useQueryClient();
  const router = useRouter();
  const cancel = useMutation({
    mutationFn: () => cancelBuild(id),
    onSettled: () => client.invalidateQueries({ queryKey: ["builds", id] }),
  });
  const retry = useMutation({
    mutationFn: () => retryBuild(id),
    onSuccess: ({ id }) => router.push(`/builds/${id}`),
  });
  return { cancel, retry };
}

type Actions = ReturnType<typeof useBuildActions>;

/** Whether a build that failed may come out otherwise if it is asked for once more, as it is. */
export function canRetryBuild({ problem }: Pick<Build, "problem">): boolean {
  if (!problem || !isReason(problem.reason)) return true;
  return canRetry({ code: reasons[problem.reason].code, reason: problem.reason });
}

/** Those of them that its state allows, and the ways on: first to what it made, once that answers. */
export function BuildButtons({ build, cancel, retry }: { build: Build } & Actions) {
  const t = useTranslations("builds.actions");
  const standing = useStanding(build);
  const final = finalBuildStates.has(build.state);
  const answers = standing.kind === "own" && standing.endpoint.state === "ready";
  return (
    <div className="flex flex-wrap gap-2">
      {build.state === "succeeded" && answers ? (
        <Link className="btn btn-primary" href={`/endpoints/${build.endpointName}`}>
          {t("tryIt")}
        </Link>
      ) : null}
      {build.artifactDigest ? (
        <a className="btn" href={archiveUrl(build.artifactDigest)} title={t("exportHint")} download>
          {t("export")}
        </a>
      ) : null}
      {build.state === "succeeded" ? (
        <>
          <Link className="btn" href={`/builds/compare?ids=${build.id}`}>
            {t("compare")}
          </Link>
          <Link className="btn" href={`/deploy?${again(build)}`}>
            {t("deployAgain")}
          </Link>
        </>
      ) : build.state === "cancelled" ? (
        <button
          type="button"
          className="btn"
          disabled={retry.isPending}
          onClick={() => retry.mutate()}
        >
          {t("retry")}
        </button>
      ) : final ? null : (
        <button
          type="button"
          className="btn"
          disabled={cancel.isPending || build.cancelling}
          onClick={() => cancel.mutate()}
        >
          {build.cancelling ? t("cancelling") : t("cancel")}
        </button>
      )}
    </div>
  );
}

/** The form with all that a build was asked for with, to change and send again. */
export function again({ id }: Build): URLSearchParams {
  return new URLSearchParams({ build: id });
}
