"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import {
  Age,
  CopyButton,
  formatCount,
  formatMhz,
  Loaded,
  Section,
  Skeleton,
} from "@/components/ui";
import type { BoardDetail, BoardModelDetail } from "@/lib/common/contract";
import { boardModelQuery, boardModelUrl } from "./api";
import { PinTable } from "./pin-table";

/** What the board is made of, how it is wired and loaded, and which board server it hangs on. */
export function ConfigurationPanel({ board }: { board: BoardDetail }) {
  const t = useTranslations("boards.configuration");
  return (
    <>
      <div className="grid gap-x-12 desk:grid-cols-2">
        <Section
          title={t("board")}
          aside={
            <a
              className="text-dense"
              href={boardModelUrl(board.boardModel)}
              download={`${board.boardModel}.json`}
            >
              {t("export")}
            </a>
          }
        >
          <WithModel board={board}>
            {(model) => <BoardFacts board={board} model={model} />}
          </WithModel>
        </Section>
        <Section id="server" title={t("server")}>
          <ServerFacts board={board} />
        </Section>
      </div>
      <Section id="pins" title={t("pins")}>
        <WithModel board={board}>{(model) => <PinTable model={model} />}</WithModel>
      </Section>
      <Section title={t("notes")}>
        <WithModel board={board}>{(model) => <Notes model={model} />}</WithModel>
      </Section>
    </>
  );
}

function WithModel({
  board,
  children,
}: {
  board: BoardDetail;
  children: (model: BoardModelDetail) => ReactNode;
}) {
  const t = useTranslations("boards.configuration");
  return (
    <Loaded
      query={useQuery(boardModelQuery(board.boardModel))}
      loading={<Skeleton lines={6} />}
      failure={t("unreadable")}
    >
      {children}
    </Loaded>
  );
}

/** Pairs of a name and a value; what has no value is left out. */
function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[minmax(112px,max-content)_minmax(0,1fr)] gap-x-4 gap-y-2 text-dense">
      {rows
        .filter(([, value]) => value !== null && value !== undefined && value !== "")
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

function BoardFacts({ board, model }: { board: BoardDetail; model: BoardModelDetail }) {
  const t = useTranslations("boards.configuration");
  const linkWords = useLinkWords();
  const { part, programmer, usb } = model;
  return (
    <Facts
      rows={[
        [t("model"), model.name],
        [t("vendor"), model.vendor],
        [t("part"), <code key="part">{part.id}</code>],
        [t("family"), `${part.family} · ${part.flow.kind}`],
        [
          t("programmer"),
          programmer ? (
            <code key="programmer">{[programmer.command, ...programmer.args].join(" ")}</code>
          ) : model.part.flow.kind === "cpu" ? null : (
            t("programmerNone")
          ),
        ],
        [t("link"), model.links.map(linkWords).join("; ")],
        [t("clocks"), model.standardClocksHz.map(formatMhz).join(", ")],
        [t("usb"), usb ? <code key="usb">{`${usb.vendorId}:${usb.productId}`}</code> : null],
        [t("io"), model.ioStandard],
        [t("key"), board.kind === "simulated" ? null : <code key="key">{board.key}</code>],
        [
          t("reached"),
          board.reachedAt ? (
            <code key="reached" className="break-all">
              {board.reachedAt}
            </code>
          ) : null,
        ],
        [t("added"), <Age key="added" time={board.createdAt} />],
      ]}
    />
  );
}

function useLinkWords() {
  const t = useTranslations("boards.configuration");
  return (link: BoardModelDetail["links"][number]): string => {
    switch (link.kind) {
      case "uart": {
        const words = t("links.uart", { baud: formatCount(Number(link["baud"])) });
        return link["onboard"] === false ? `${words}, ${t("header")}` : words;
      }
      case "axi":
        return t("links.axi");
      case "pcie":
        return t("links.pcie", { platform: String(link["platform"]) });
      case "memory":
        return t("links.memory");
      default:
        return t("links.other", { kind: link.kind });
    }
  };
}

function ServerFacts({ board: { server } }: { board: BoardDetail }) {
  const t = useTranslations("boards.configuration");
  const never = useTranslations("boards")("never");
  return (
    <Facts
      rows={[
        [t("name"), server.name],
        [t("version"), server.version ?? t("versionNone")],
        [t("heartbeat"), server.heartbeatAt ? <Age key="at" time={server.heartbeatAt} /> : never],
        [
          t("address"),
          <code key="address" className="break-all">
            {server.address}
          </code>,
        ],
        [t("enrolled"), <Age key="enrolled" time={server.enrolledAt} />],
        [
          t("fingerprint"),
          <span key="fingerprint">
            <code className="break-all">{server.keyFingerprint}</code>{" "}
            <CopyButton text={server.keyFingerprint} label={t("copyFingerprint")} />
          </span>,
        ],
        [t("capacity"), String(server.simulatedCapacity)],
      ]}
    />
  );
}

function Notes({ model }: { model: BoardModelDetail }) {
  const t = useTranslations("boards.configuration");
  return (
    <div className="max-w-[68ch] text-dense break-words">
      <p>{model.notes}</p>
      {model.doubts.length > 0 ? (
        <>
          <h3 className="mt-4 text-body">{t("doubts")}</h3>
          <ul className="list-disc pl-5">
            {model.doubts.map((doubt) => (
              <li key={doubt}>{doubt}</li>
            ))}
          </ul>
        </>
      ) : null}
      <h3 className="mt-4 text-body">{t("sources")}</h3>
      <ul className="list-disc pl-5">
        {model.sources.map((source) => (
          <li key={source}>{source}</li>
        ))}
      </ul>
    </div>
  );
}
