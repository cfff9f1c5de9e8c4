"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useBoardTitle } from "@/components/boards";
import {
  Age,
  Empty,
  formatDuration,
  Loaded,
  modelTitle,
  Skeleton,
  StateMark,
  useNow,
} from "@/components/ui";
import { type Build, type BuildState, buildStateSchema, buildStates } from "@/lib/common/contract";
import { type BuildFilter, buildsQuery } from "./api";
import { buildAppearance } from "./appearance";
import { type Choice, ChoiceBox, CompareBar, useChoice } from "./compare/choice";

/** All builds, newest first; the filter lies in the address. */
export function BuildsTable({
  state,
  cursor,
}: {
  state: string | undefined;
  cursor: string | undefined;
}) {
  const known = buildStateSchema.safeParse(state);
  const filter: BuildFilter = { state: known.success ? known.data : undefined, cursor };
  const choice = useChoice();
  return (
    <>
      <StateFilter state={filter.state} />
      <Loaded
        query={useQuery(buildsQuery(filter))}
        loading={<Skeleton lines={8} />}
        failure="The builds cannot be read."
        empty={<NoBuilds state={filter.state} />}
      >
        {({ items, nextCursor }) => (
          <>
            <Table builds={items} choice={choice} />
            <CompareBar choice={choice} />
            <Paging filter={filter} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
    </>
  );
}

function StateFilter({ state }: { state: BuildState | undefined }) {
  const router = useRouter();
  const choose = (chosen: string) =>
    router.push(chosen === "" ? "/builds" : `/builds?state=${chosen}`);
  return (
    <div className="mb-4 flex items-center gap-2 text-dense">
      <label htmlFor="state" className="text-muted">
        State
      </label>
      <select
        id="state"
        className="field h-8 w-40 text-dense"
        value={state ?? ""}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">any</option>
        {buildStates.map((each) => (
          <option key={each} value={each}>
            {buildAppearance[each].label}
          </option>
        ))}
      </select>
    </div>
  );
}

function Paging({ filter, nextCursor }: { filter: BuildFilter; nextCursor: string | null }) {
  const { state, cursor } = filter;
  return (
    <div className="mt-4 flex gap-2">
      {cursor ? (
        <Link className="btn btn-dense" href={state ? `/builds?state=${state}` : "/builds"}>
          Newest
        </Link>
      ) : null}
      {nextCursor ? (
        <Link
          className="btn btn-dense"
          href={`/builds?${new URLSearchParams({ ...(state ? { state } : {}), cursor: nextCursor })}`}
        >
          Older
        </Link>
      ) : null}
    </div>
  );
}

function NoBuilds({ state }: { state: BuildState | undefined }) {
  if (state) {
    return (
      <Empty
        title={`No build is ${buildAppearance[state].label}.`}
        action={
          <Link className="btn" href="/builds">
            Show all builds
          </Link>
        }
      />
    );
  }
  return (
    <Empty
      title="No build yet."
      action={
        <Link className="btn btn-primary" href="/deploy">
          Deploy a model
        </Link>
      }
    >
      A build turns a model into an artifact that a board can load. Every deploy makes one, or
      reuses one.
    </Empty>
  );
}

function Table({ builds, choice }: { builds: readonly Build[]; choice: Choice }) {
  const now = useNow();
  const tookOf = ({ startedAt, endedAt }: Build) =>
    startedAt === null
      ? null
      : Math.max(0, (endedAt ? Date.parse(endedAt) : now) - Date.parse(startedAt));
  const longest = Math.max(1, ...builds.map((build) => tookOf(build) ?? 0));
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="w-6 pr-2!">
            <span className="sr-only">Compare</span>
          </th>
          <th>Build</th>
          <th className="max-tablet:hidden">Board</th>
          <th className="max-desk:hidden">Engine</th>
          <th>State</th>
          <th className="max-tablet:hidden" colSpan={2}>
            Took
          </th>
          <th className="num max-tablet:hidden">Asked</th>
        </tr>
      </thead>
      <tbody>
        {builds.map((build) => (
          <Row
            key={build.id}
            build={build}
            choice={choice}
            tookMs={tookOf(build)}
            longestMs={longest}
          />
        ))}
      </tbody>
    </table>
  );
}

function Row({
  build,
  choice,
  tookMs,
  longestMs,
}: {
  build: Build;
  choice: Choice;
  tookMs: number | null;
  longestMs: number;
}) {
  const board = useBoardTitle(build.boardModel, build.boardKind);
  const stage = build.stages.find(({ state }) => state === "running" || state === "failed");
  const appearance = buildAppearance[build.state];
  return (
    <tr>
      <td className="w-6 pr-2!">
        <ChoiceBox build={build} choice={choice} />
      </td>
      <td className="max-w-64 max-tablet:max-w-52">
        <Link className="row-link block truncate font-strong" href={`/builds/${build.id}`}>
          {build.endpointName ?? modelTitle(build.modelUrl)}
        </Link>
        <span className="block truncate text-dense text-muted">
          {modelTitle(build.modelUrl)}
          <span className="tablet:hidden"> · {board}</span>
        </span>
      </td>
      <td className="max-tablet:hidden">
        <span className={build.boardKind === "cpu" ? "" : "text-copper"}>{board}</span>
      </td>
      <td className="max-desk:hidden">{build.engine}</td>
      <td>
        <StateMark appearance={appearance} label={build.cancelling ? "cancelling" : undefined} />
        {build.reused ? <span className="label"> reused</span> : null}
        {stage ? <span className="block text-dense text-muted">in {stage.name}</span> : null}
      </td>
      <td className="w-28 pr-2! max-tablet:hidden">
        <div aria-hidden="true" className="h-1.5 w-24">
          <i
            className={`block h-full rounded-[1px] ${appearance.tone === "bad" ? "bg-bad" : appearance.tone === "run" ? "bg-accent" : "bg-line-strong"}`}
            style={{ width: `${((tookMs ?? 0) / longestMs) * 100}%` }}
          />
        </div>
      </td>
      <td className="text-dense whitespace-nowrap max-tablet:hidden">
        {tookMs === null ? <span className="text-muted">–</span> : formatDuration(tookMs)}
      </td>
      <td className="num text-dense text-muted max-tablet:hidden">
        <Age time={build.createdAt} />
      </td>
    </tr>
  );
}
