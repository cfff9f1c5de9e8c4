"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { OutputsTable, RangeAssumed } from "@/components/accuracy";
import { useBoardTitle } from "@/components/boards";
import {
  Loaded,
  modelTitle,
  PathLine,
  Section,
  Skeleton,
  type Stations,
  TabLinks,
  ToneIcon,
} from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { endpointQuery } from "./api";
import { artifactWords, reached } from "./artifact-words";
import { EndpointHeader } from "./endpoint-header";
import { newRevisionOf } from "./new-revision";

const TryPanel = dynamic(() => import("./try/try-panel").then((module) => module.TryPanel), {
  ssr: false,
  loading: () => <Skeleton lines={10} height={28} />,
});

const RevisionsPanel = dynamic(
  () => import("./revisions-panel").then((module) => module.RevisionsPanel),
  { ssr: false, loading: () => <Skeleton lines={7} /> },
);

const CodePanel = dynamic(() => import("./code-panel").then((module) => module.CodePanel), {
  ssr: false,
  loading: () => <Skeleton lines={8} />,
});

const SettingsPanel = dynamic(
  () => import("./settings-panel").then((module) => module.SettingsPanel),
  { ssr: false, loading: () => <Skeleton lines={7} /> },
);

const TrafficPanel = dynamic(
  () => import("./traffic/traffic-panel").then((module) => module.TrafficPanel),
  { ssr: false, loading: () => <Skeleton lines={8} /> },
);

const RequestsPanel = dynamic(
  () => import("./requests/requests-panel").then((module) => module.RequestsPanel),
  { ssr: false, loading: () => <Skeleton lines={8} /> },
);

const LogPanel = dynamic(() => import("./log/log-panel").then((module) => module.LogPanel), {
  ssr: false,
  loading: () => <Skeleton lines={8} />,
});

const tabs = ["try", "metrics", "revisions", "logs", "requests", "code", "settings"] as const;
type Tab = (typeof tabs)[number];

/** What a tab was called before. */
const formerly: Readonly<Record<string, Tab>> = { traffic: "metrics" };

const tabOf = (text = "try"): Tab => tabs.find((tab) => tab === text) ?? formerly[text] ?? "try";

/** The page of one endpoint: its state, and a tab for each thing to do with it. */
export function EndpointView({ name, tab }: { name: string; tab: string | undefined }) {
  const t = useTranslations("endpoints.view");
  return (
    <Loaded
      query={useQuery(endpointQuery(name))}
      loading={<Skeleton lines={8} height={28} />}
      failure={t("failure")}
      around={(note) => (
        <>
          <h1 className="mb-4">{name}</h1>
          {note}
          <p className="mt-4">
            <Link href="/endpoints">{t("all")}</Link>
          </p>
        </>
      )}
    >
      {(endpoint) => <LoadedEndpoint endpoint={endpoint} tab={tabOf(tab)} />}
    </Loaded>
  );
}

function LoadedEndpoint({ endpoint, tab }: { endpoint: Endpoint; tab: Tab }) {
  const t = useTranslations("endpoints");
  const board = useBoardTitle(endpoint.boardModel, endpoint.boardKind);
  const tabName = useTranslations("traffic.tabs");
  const { name, state } = endpoint;
  return (
    <>
      <PathLine here={3} done={reached(endpoint)} stations={stationsOf(endpoint, board, t)} />
      <EndpointHeader endpoint={endpoint} board={board} />
      <RangeAssumed
        calibration={endpoint.calibration}
        deployAgain={newRevisionOf(name, { question: "range" })}
      />
      {state === "failed" || state === "degraded" ? <Trouble endpoint={endpoint} /> : null}
      <Standing endpoint={endpoint} />
      <TabLinks
        label={t("view.tabsLabel")}
        current={tab}
        tabs={tabs.map((id) => ({
          id,
          label: tabName(id),
          href: id === "try" ? `/endpoints/${name}` : `/endpoints/${name}?tab=${id}`,
        }))}
      />
      <Panel endpoint={endpoint} tab={tab} />
      {tab === "try" ? <Exactness endpoint={endpoint} /> : null}
    </>
  );
}

/** What is not as it stays: that callers are kept away, or that another revision is about to take over. */
function Standing({ endpoint: { name, paused, next, revision, state } }: { endpoint: Endpoint }) {
  const t = useTranslations("endpoints.view");
  if (!paused && next === null) return null;
  const link = (words: ReactNode) => <Link href={`/endpoints/${name}?tab=revisions`}>{words}</Link>;
  return (
    <div role="status" className="my-4 border-l-2 border-info py-1 pl-4">
      {paused ? <p>{t("paused")}</p> : null}
      {next === null ? null : (
        <p>
          {state === "degraded"
            ? t.rich("next", { next, link })
            : t.rich("nextBeside", { next, revision, link })}
        </p>
      )}
    </div>
  );
}

/** Of firmware with several outputs: how near each comes to the float model. */
function Exactness({ endpoint: { outputAccuracies, buildId } }: { endpoint: Endpoint }) {
  const t = useTranslations("endpoints.view");
  if (!outputAccuracies) return null;
  return (
    <div className="mt-10">
      <Section
        title={t("outputs")}
        aside={
          buildId ? <Link href={`/builds/${buildId}#accuracy`}>{t("moreOnBuild")}</Link> : null
        }
      >
        <OutputsTable outputs={outputAccuracies} />
      </Section>
    </div>
  );
}

/** The way from the model to this endpoint. */
function stationsOf(
  endpoint: Endpoint,
  board: string,
  t: ReturnType<typeof useTranslations<"endpoints">>,
): Stations {
  const { name, buildId, artifactDigest } = endpoint;
  return [
    {
      label: modelTitle(endpoint.modelUrl, endpoint.modelName),
      href: `/deploy?model=${encodeURIComponent(endpoint.modelUrl)}`,
    },
    {
      label: artifactWords(endpoint, t),
      href: buildId ? `/builds/${buildId}` : undefined,
      mono: artifactDigest !== null,
    },
    {
      label: board,
      href: endpoint.boardId ? `/boards/${endpoint.boardId}` : `/boards#${endpoint.boardModel}`,
    },
    { label: name },
  ];
}

function Panel({ endpoint, tab }: { endpoint: Endpoint; tab: Tab }) {
  const { name, revision, artifactDigest } = endpoint;
  switch (tab) {
    case "try":
      return endpoint.inputs.length > 0 ? (
        <TryPanel key={`${name} ${revision} ${artifactDigest}`} endpoint={endpoint} />
      ) : (
        <NothingToTry endpoint={endpoint} />
      );
    case "metrics":
      return <TrafficPanel name={name} key={name} />;
    case "logs":
      return <LogPanel name={name} />;
    case "requests":
      return <RequestsPanel name={name} />;
    case "revisions":
      return <RevisionsPanel endpoint={endpoint} />;
    case "code":
      return <CodePanel endpoint={endpoint} />;
    case "settings":
      return <SettingsPanel endpoint={endpoint} />;
  }
}

function NothingToTry({ endpoint: { state, problem, buildId } }: { endpoint: Endpoint }) {
  const t = useTranslations("endpoints.view");
  const why = problem?.reason === "CANCELLED" ? "cancelled" : "failed";
  return (
    <p className="text-muted">
      {t(`nothing.${state === "failed" ? why : "soon"}`)}{" "}
      {buildId ? <Link href={`/builds/${buildId}`}>{t("build")}</Link> : null}
    </p>
  );
}

const edge = { info: "border-info", bad: "border-bad", warn: "border-warn" } as const;

function Trouble({ endpoint }: { endpoint: Endpoint }) {
  const t = useTranslations("endpoints.view");
  const { state, problem, reason, buildId } = endpoint;
  const wasCancelled = problem?.reason === "CANCELLED";
  const tone = wasCancelled ? "info" : state === "failed" ? "bad" : "warn";
  return (
    <div role="alert" className={`my-4 border-l-2 py-1 pl-4 ${edge[tone]}`}>
      <p className="flex items-baseline gap-2">
        <ToneIcon tone={tone} />
        <span className="min-w-0 break-words">
          {wasCancelled
            ? t("trouble.cancelled")
            : (problem?.message ??
              reason ??
              t(`trouble.${state === "failed" ? "failed" : "degraded"}`))}
        </span>
      </p>
      {problem?.hint ? <p className="mt-1 text-muted">{problem.hint}</p> : null}
      {buildId ? (
        <p className="mt-1">
          <Link href={`/builds/${buildId}`}>{t("build")}</Link>
        </p>
      ) : null}
    </div>
  );
}
