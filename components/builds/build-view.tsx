"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { AccuracySection } from "@/components/accuracy";
import { useBoardTitle } from "@/components/boards";
import {
  Age,
  ErrorNote,
  formatDuration,
  modelTitle,
  PathLine,
  Skeleton,
  StateButton,
  shortDigest,
  shortId,
  Twin,
  useNow,
  useOrigin,
} from "@/components/ui";
import { type Build, finalBuildStates } from "@/lib/common/contract";
import { buildQuery, cancelBuild, retryBuild } from "./api";
import { BuildFailure } from "./build-failure";
import { Findings, MoreFindings } from "./findings";
import { buildLook } from "./look";
import { BuildReport } from "./report/build-report";
import { StageLine } from "./stage-line";
import { reachedBy, useStanding } from "./standing";

const LogViewer = dynamic(() => import("./log/log-viewer").then((module) => module.LogViewer), {
  ssr: false,
  loading: () => <div className="well h-[min(72vh,760px)]" />,
});

/** One build: where it is, what it writes, what it found. */
export function BuildView({ id, attempt }: { id: string; attempt: number | null }) {
  const build = useQuery(buildQuery(id));
  if (build.isPending) return <Skeleton lines={8} height={28} />;
  if (build.isError) {
    return (
      <>
        <h1 className="mb-4">Build {shortId(id)}</h1>
        <ErrorNote
          title="This build cannot be shown."
          error={build.error}
          onRetry={() => void build.refetch()}
        />
        <p className="mt-4">
          <Link href="/builds">All builds</Link>
        </p>
      </>
    );
  }
  return <Loaded build={build.data} attempt={attempt ?? build.data.attempt} />;
}

function Loaded({ build, attempt }: { build: Build; attempt: number }) {
  const client = useQueryClient();
  const router = useRouter();
  const boardTitle = useBoardTitle(build.boardModel, build.boardKind);
  const standing = useStanding(build);
  const cancel = useMutation({
    mutationFn: () => cancelBuild(build.id),
    onSettled: () => client.invalidateQueries({ queryKey: ["builds", build.id] }),
  });
  const retry = useMutation({
    mutationFn: () => retryBuild(build.id),
    onSuccess: ({ id }) => router.push(`/builds/${id}`),
  });
  const final = finalBuildStates.has(build.state);
  const failed = build.state === "failed" || build.state === "timed_out";
  const failedStage = build.stages.find(({ state }) => state === "failed")?.name ?? null;
  const title = build.endpointName ?? modelTitle(build.modelUrl);
  const origin = useOrigin();
  return (
    <>
      <PathLine
        here={1}
        done={reachedBy(build, standing)}
        stations={[
          {
            label: modelTitle(build.modelUrl),
            href: `/deploy?model=${encodeURIComponent(build.modelUrl)}`,
          },
          {
            label: build.artifactDigest
              ? shortDigest(build.artifactDigest)
              : `build ${shortId(build.id)}`,
            mono: build.artifactDigest !== null,
          },
          { label: boardTitle, href: `/boards#${build.boardModel}` },
          {
            label:
              standing.kind === "gone"
                ? `${build.endpointName}, deleted`
                : (build.endpointName ?? "no endpoint"),
            href:
              build.endpointName && standing.kind !== "gone"
                ? `/endpoints/${build.endpointName}`
                : undefined,
          },
        ]}
      />
      <header className="mb-6 flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0">
          <h1>
            {title} for {boardTitle}
          </h1>
          <Status build={build} />
        </div>
        <div className="flex gap-2">
          {build.state === "succeeded" ? (
            <Link className="btn" href={`/builds/compare?ids=${build.id}`}>
              Compare
            </Link>
          ) : null}
          {build.state === "succeeded" ? (
            <Link className="btn" href={`/deploy?${again(build)}`}>
              Deploy again
            </Link>
          ) : final ? (
            <button
              type="button"
              className="btn"
              disabled={retry.isPending}
              onClick={() => retry.mutate()}
            >
              Retry
            </button>
          ) : (
            <button
              type="button"
              className="btn"
              disabled={cancel.isPending || build.cancelling}
              onClick={() => cancel.mutate()}
            >
              {build.cancelling ? "Cancelling" : "Cancel"}
            </button>
          )}
        </div>
      </header>
      {cancel.isError || retry.isError ? (
        <div className="mb-6">
          <ErrorNote title="That did not work." error={cancel.error ?? retry.error} />
        </div>
      ) : null}
      {failed ? <BuildFailure build={build} onRetry={() => retry.mutate()} /> : null}
      {build.reused ? (
        <p className="mb-6 border-l-2 border-info py-1 pl-4">
          Nothing had to be built:{" "}
          {build.artifactDigest ? <code>{shortDigest(build.artifactDigest)}</code> : "the artifact"}{" "}
          was made by{" "}
          {build.reusedFrom ? (
            <Link href={`/builds/${build.reusedFrom}`}>build {shortId(build.reusedFrom)}</Link>
          ) : (
            "an earlier build"
          )}{" "}
          of the same plan. Its findings are shown here.
        </p>
      ) : null}
      <div className="grid gap-8 tablet:grid-cols-[160px_minmax(0,1fr)] desk:grid-cols-[176px_minmax(0,1fr)_272px] desk:grid-rows-[auto_1fr]">
        <StageLine build={build} />
        <div className="min-w-0">
          <Attempts build={build} shown={attempt} />
          {build.attempt === 0 ? (
            <NoLogYet build={build} />
          ) : (
            <LogViewer
              key={`${build.id} ${attempt}`}
              buildId={build.id}
              attempt={attempt}
              running={!final && attempt >= build.attempt}
              failedStage={failedStage}
            />
          )}
          <div className="mt-2">
            <Twin
              title="Do this from the terminal"
              command={`curl -N -H 'Accept: text/event-stream' ${origin}/api/v1/builds/${build.id}/log`}
            />
          </div>
        </div>
        <Findings build={build} />
        <MoreFindings build={build} />
      </div>
      {build.report?.accuracy ? (
        <div className="mt-10">
          <AccuracySection accuracy={build.report.accuracy} />
        </div>
      ) : null}
      <div className="mt-12">
        <BuildReport build={build} />
      </div>
    </>
  );
}

/** The same request in the form, to change and send again. */
function again({ modelUrl, engine, boardModel, boardKind }: Build): URLSearchParams {
  const query = new URLSearchParams({ model: modelUrl, engine });
  if (boardKind !== "physical") query.set("board", boardModel);
  return query;
}

function Status({ build }: { build: Build }) {
  const now = useNow();
  const running = build.stages.filter(({ state }) => state === "running");
  const from = Date.parse(build.startedAt ?? build.createdAt);
  const took = (build.endedAt ? Date.parse(build.endedAt) : Math.max(from, now)) - from;
  const facts = [
    build.reused ? "reused" : null,
    build.state === "queued" ? (build.waitingFor ?? "waiting for a worker") : null,
    running.length > 0 ? `in ${running.map(({ name }) => name).join(" and ")}` : null,
    build.startedAt && now > 0 ? formatDuration(took) : null,
    build.engine,
    build.attempt > 1 ? `attempt ${build.attempt}` : null,
  ].filter((fact) => fact !== null);
  return (
    <p className="mt-0.5 text-dense text-muted">
      <StateButton
        look={
          build.cancelling
            ? { ...buildLook[build.state], label: "cancelling" }
            : buildLook[build.state]
        }
      >
        {build.problem ? <p className="mt-2">{build.problem.message}</p> : null}
        <p className="mt-2 text-muted">
          Asked for <Age time={build.createdAt} />.
        </p>
      </StateButton>
      {facts.map((fact) => (
        <span key={fact}> · {fact}</span>
      ))}{" "}
      · asked <Age time={build.createdAt} />
    </p>
  );
}

/** In the place of the log while no worker has taken the build: what it waits for. */
function NoLogYet({ build }: { build: Build }) {
  return (
    <div className="well p-6">
      <p className="font-strong">
        {build.state === "queued" ? "Waiting for a worker" : "Nothing was written"}
      </p>
      <p className="mt-1 text-muted">
        {build.state === "queued"
          ? `${build.waitingFor ?? "The first free worker takes it"}. The log starts here by itself.`
          : "The build ended before a worker took it."}
      </p>
    </div>
  );
}

/** Attempts of a build, each with its own log. */
function Attempts({ build, shown }: { build: Build; shown: number }) {
  if (build.attempt < 2) return null;
  return (
    <nav aria-label="Attempts" className="mb-2 flex gap-4 overflow-x-auto text-dense">
      {Array.from({ length: build.attempt }, (_, index) => index + 1).map((attempt) => (
        <Link
          key={attempt}
          href={`/builds/${build.id}?attempt=${attempt}`}
          aria-current={attempt === shown ? "page" : undefined}
          className="tab mb-0! py-0.5!"
        >
          Attempt {attempt}
        </Link>
      ))}
    </nav>
  );
}
