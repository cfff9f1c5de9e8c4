"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useTranslations } from "next-intl";
import {
  Age,
  Loaded,
  PathLine,
  Skeleton,
  type Stations,
  shortDigest,
  TabLinks,
} from "@/components/ui";
import type { BoardDetail } from "@/lib/common/contract";
import { AccessPanel } from "./access-panel";
import { boardQuery } from "./api";
import { BoardHeader } from "./board-header";
import { ConfigurationPanel } from "./configuration-panel";
import { HistoryPanel } from "./history-panel";
import { NowPanel } from "./now-panel";
import { ResourcesPanel } from "./resources-panel";

const tabs = ["now", "history", "resources", "access", "configuration"] as const;
type Tab = (typeof tabs)[number];

const LeaseBar = dynamic(() => import("@/components/leases").then((module) => module.LeaseBar), {
  ssr: false,
});

/** The page of one board: what it is, what can be asked of it, and a tab for each side of it. */
export function BoardView({ id, tab }: { id: string; tab: string | undefined }) {
  const t = useTranslations("boards");
  return (
    <Loaded
      query={useQuery(boardQuery(id))}
      loading={<Skeleton lines={8} height={28} />}
      failure={t("unreadable")}
      around={(note) => (
        <>
          <h1 className="mb-4">{t("one")}</h1>
          {note}
          <p className="mt-4">
            <Link href="/boards">{t("all")}</Link>
          </p>
        </>
      )}
    >
      {(board) => <LoadedBoard board={board} tab={tabs.find((each) => each === tab) ?? "now"} />}
    </Loaded>
  );
}

function LoadedBoard({ board, tab }: { board: BoardDetail; tab: Tab }) {
  const t = useTranslations("boards.tabs");
  const stations = useStations(board);
  return (
    <>
      <PathLine here={2} done={stations.done} stations={stations.stations} />
      <BoardHeader board={board} />
      <Standing board={board} />
      {board.kind === "cpu" || board.removedAt ? null : <LeaseBar board={board} />}
      <TabLinks
        label={t("label")}
        current={tab}
        tabs={tabs.map((each) => ({
          id: each,
          label: t(each),
          href: each === "now" ? `/boards/${board.id}` : `/boards/${board.id}?tab=${each}`,
        }))}
      />
      <Panel board={board} tab={tab} />
    </>
  );
}

/** From the models and artifacts that it holds to the endpoints that answer from it. */
function useStations(board: BoardDetail): { stations: Stations; done: number } {
  const t = useTranslations("boards.path");
  const held = board.slots.filter(({ artifactDigest }) => artifactDigest !== null);
  const endpoints = [...new Set(board.slots.flatMap(({ endpointName }) => endpointName ?? []))];
  const [slot] = held;
  const [only] = endpoints;
  const one = held.length === 1;
  const here = { label: board.name };
  const first = one && slot?.buildId ? { href: `/builds/${slot.buildId}` } : {};
  return {
    done: held.length > 0 ? 4 : 0,
    stations: [
      { label: held.length > 1 ? t("several", { count: held.length }) : t("model"), ...first },
      one && slot?.artifactDigest
        ? { label: shortDigest(slot.artifactDigest), mono: true, ...first }
        : { label: held.length === 0 ? t("none") : t("artifact") },
      here,
      endpoints.length === 1 && only !== undefined
        ? { label: only, href: `/endpoints/${only}` }
        : {
            label:
              endpoints.length > 1 ? t("endpoints", { count: endpoints.length }) : t("endpoint"),
          },
    ],
  };
}

/** What is not as it stays: that it is gone, drained, or never seen on hardware. */
function Standing({ board }: { board: BoardDetail }) {
  const t = useTranslations("boards");
  const { drain, removedAt, slots } = board;
  const isEmpty = slots.every(({ state, free }) => free || state === "empty");
  return (
    <>
      {removedAt ? (
        <div role="status" className="my-4 border-l-2 border-info py-1 pl-4">
          {t("removed", { time: removedAt.slice(0, 16).replace("T", " ") })}
        </div>
      ) : null}
      {drain && !removedAt ? (
        <div role="status" className="my-4 border-l-2 border-warn py-1 pl-4">
          <p>
            {t("now.drainTitle", { time: drain.since.slice(0, 16).replace("T", " ") })}{" "}
            <span className="text-muted">
              (<Age time={drain.since} />)
            </span>
          </p>
          <p className="mt-1 text-muted">
            {isEmpty
              ? t("now.drainEmpty")
              : drain.loaded === "move"
                ? t("now.drainMove")
                : t("now.drainKeep")}
          </p>
        </div>
      ) : null}
      {slots.some(({ matches }) => matches === false) ? (
        <div role="alert" className="my-4 border-l-2 border-warn py-1 pl-4">
          {t("now.drift")}
        </div>
      ) : null}
    </>
  );
}

function Panel({ board, tab }: { board: BoardDetail; tab: Tab }) {
  switch (tab) {
    case "now":
      return <NowPanel board={board} />;
    case "history":
      return <HistoryPanel board={board} />;
    case "resources":
      return <ResourcesPanel board={board} />;
    case "access":
      return <AccessPanel board={board} />;
    case "configuration":
      return <ConfigurationPanel board={board} />;
  }
}
