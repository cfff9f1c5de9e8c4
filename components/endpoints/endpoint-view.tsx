"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useBoardTitle } from "@/components/boards";
import {
  Age,
  CopyButton,
  ErrorNote,
  formatCount,
  formatShare,
  modelTitle,
  PathLine,
  Skeleton,
  StateButton,
  TabLinks,
  ToneIcon,
} from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { endpointQuery } from "./api";
import { CodePanel } from "./code-panel";
import { endpointLook } from "./look";
import { RevisionsPanel } from "./revisions-panel";
import { TryPanel } from "./try/try-panel";
import { artifactWords, reached } from "./way";

const SettingsPanel = dynamic(
  () => import("./settings-panel").then((module) => module.SettingsPanel),
  { ssr: false, loading: () => <Skeleton lines={7} /> },
);

const TrafficPanel = dynamic(
  () => import("./traffic/traffic-panel").then((module) => module.TrafficPanel),
  { ssr: false, loading: () => <Skeleton lines={8} /> },
);

const tabs = [
  { id: "try", label: "Try" },
  { id: "traffic", label: "Traffic" },
  { id: "revisions", label: "Revisions" },
  { id: "code", label: "Code" },
  { id: "settings", label: "Settings" },
] as const;
type Tab = (typeof tabs)[number]["id"];

const isTab = (text: string | undefined): text is Tab => tabs.some(({ id }) => id === text);

export function EndpointView({ name, tab }: { name: string; tab: string | undefined }) {
  const endpoint = useQuery(endpointQuery(name));
  if (endpoint.isPending) return <Skeleton lines={8} height={28} />;
  if (endpoint.isError) {
    return (
      <>
        <h1 className="mb-4">{name}</h1>
        <ErrorNote
          title="This endpoint cannot be shown."
          error={endpoint.error}
          onRetry={() => void endpoint.refetch()}
        />
        <p className="mt-4">
          <Link href="/endpoints">All endpoints</Link>
        </p>
      </>
    );
  }
  return <Loaded endpoint={endpoint.data} tab={isTab(tab) ? tab : "try"} />;
}

function Loaded({ endpoint, tab }: { endpoint: Endpoint; tab: Tab }) {
  const board = useBoardTitle(endpoint.boardModel, endpoint.boardKind);
  const { name, buildId, artifactDigest, state } = endpoint;
  const query = new URLSearchParams({ model: endpoint.modelUrl, engine: endpoint.engine });
  return (
    <>
      <PathLine
        here={3}
        done={reached(endpoint)}
        stations={[
          {
            label: modelTitle(endpoint.modelUrl),
            href: `/deploy?model=${encodeURIComponent(endpoint.modelUrl)}`,
          },
          {
            label: artifactWords(endpoint),
            href: buildId ? `/builds/${buildId}` : undefined,
            mono: artifactDigest !== null,
          },
          { label: board, href: `/boards#${endpoint.boardId ?? endpoint.boardModel}` },
          { label: name },
        ]}
      />
      <header className="mb-2 flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0">
          <h1>{name}</h1>
          <p className="mt-0.5 text-dense text-muted">
            <StateButton look={endpointLook[state]}>
              {endpoint.reason ? <p className="mt-2">{endpoint.reason}</p> : null}
              <p className="mt-2 text-muted">
                {endpoint.readyAt ? (
                  <>
                    Ready <Age time={endpoint.readyAt} />.
                  </>
                ) : (
                  <>
                    Made <Age time={endpoint.createdAt} />.
                  </>
                )}
                {buildId ? (
                  <>
                    {" "}
                    <Link href={`/builds/${buildId}`}>Look at the build</Link>
                  </>
                ) : null}
              </p>
            </StateButton>{" "}
            · revision {endpoint.revision} ·{" "}
            <span className={endpoint.boardKind === "cpu" ? "" : "text-copper"}>{board}</span> ·{" "}
            {endpoint.engine}
            {endpoint.replicas.wanted > 1
              ? ` · ${endpoint.replicas.serving} of ${endpoint.replicas.wanted} replicas`
              : null}
            <ProofWords endpoint={endpoint} />
          </p>
          <p className="mt-1 flex flex-wrap items-center text-dense">
            <code className="break-all">{endpoint.url}</code>
            <CopyButton text={endpoint.url} label="Copy the address" />
          </p>
        </div>
        <div className="flex gap-2">
          <Link className="btn" href={`/deploy?${query}`}>
            Deploy again
          </Link>
        </div>
      </header>
      {state === "failed" || state === "degraded" ? <Trouble endpoint={endpoint} /> : null}
      <TabLinks
        label="Endpoint"
        current={tab}
        tabs={tabs.map((each) => ({
          ...each,
          href: each.id === "try" ? `/endpoints/${name}` : `/endpoints/${name}?tab=${each.id}`,
        }))}
      />
      {tab === "try" ? (
        endpoint.inputs.length > 0 ? (
          <TryPanel key={`${name} ${endpoint.revision} ${artifactDigest}`} endpoint={endpoint} />
        ) : (
          <p className="text-muted">
            {state === "failed"
              ? `There is nothing to try: ${endpoint.problem?.reason === "CANCELLED" ? "the build was cancelled" : "it could not be built"}.`
              : "The editor opens as soon as the model was read."}{" "}
            {buildId ? <Link href={`/builds/${buildId}`}>Look at the build</Link> : null}
          </p>
        )
      ) : tab === "traffic" ? (
        <TrafficPanel name={name} key={name} />
      ) : tab === "revisions" ? (
        <RevisionsPanel name={name} current={endpoint.revision} />
      ) : tab === "code" ? (
        <CodePanel endpoint={endpoint} />
      ) : (
        <SettingsPanel endpoint={endpoint} />
      )}
    </>
  );
}

function ProofWords({ endpoint: { proof, boardKind } }: { endpoint: Endpoint }) {
  if (!proof || proof.vectors === 0) return null;
  const equal = formatCount(proof.vectors - proof.mismatches);
  const netlist = proof.levels?.find(({ level }) => level === "netlist");
  return (
    <span>
      {" "}
      · equal to its {boardKind === "cpu" ? "" : "quantised "}model on {equal} of{" "}
      {formatCount(proof.vectors)} vectors
      {netlist ? `, its logic cells as placed on ${formatCount(netlist.vectors)} of them` : ""}
      {proof.agreement === null ? "" : `, ${formatShare(proof.agreement)} agreement with float`}
    </span>
  );
}

const edge = { info: "border-info", bad: "border-bad", warn: "border-warn" } as const;

function Trouble({ endpoint }: { endpoint: Endpoint }) {
  const { state, problem, reason, buildId } = endpoint;
  const wasCancelled = problem?.reason === "CANCELLED";
  const tone = wasCancelled ? "info" : state === "failed" ? "bad" : "warn";
  return (
    <div role="alert" className={`my-4 border-l-2 py-1 pl-4 ${edge[tone]}`}>
      <p className="flex items-baseline gap-2">
        <ToneIcon tone={tone} />
        <span className="min-w-0 break-words">
          {wasCancelled
            ? "Its build was cancelled, so there is nothing to serve."
            : (problem?.message ?? reason ?? `It is ${state}.`)}
        </span>
      </p>
      {problem?.hint ? <p className="mt-1 text-muted">{problem.hint}</p> : null}
      {buildId ? (
        <p className="mt-1">
          <Link href={`/builds/${buildId}`}>Look at the build</Link>
        </p>
      ) : null}
    </div>
  );
}
