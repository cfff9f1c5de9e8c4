"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useBoardAppearance } from "@/components/boards";
import {
  Age,
  type Appearance,
  ChoiceRow,
  Empty,
  formatDuration,
  Loaded,
  Section,
  Skeleton,
  StateMark,
  shortDigest,
} from "@/components/ui";
import {
  availabilityRanges,
  type BoardDetail,
  type BoardHistoryItem,
  boardHistoryParts,
} from "@/lib/common/contract";
import { boardAvailabilityQuery, boardHistoryQuery } from "./api";
import { AvailabilityStrip } from "./availability-strip";

const parsers = {
  range: parseAsStringLiteral(availabilityRanges).withDefault("24h"),
  part: parseAsStringLiteral(boardHistoryParts).withDefault("all"),
  after: parseAsString.withDefault(""),
};

/** How the board was over a day or a month, and everything that happened to it; both are in the address. */
export function HistoryPanel({ board }: { board: BoardDetail }) {
  const t = useTranslations("boards.history");
  const [{ range, part, after }, set] = useQueryStates(parsers, { history: "push" });
  return (
    <>
      <Section
        title={t("availability")}
        aside={
          <ChoiceRow
            label={t("availability")}
            choices={availabilityRanges.map((id) => ({ id, label: t(`range.${id}`) }))}
            value={range}
            onChoose={(next) => void set({ range: next })}
          />
        }
      >
        <AvailabilityStrip id={board.id} range={range} />
        <Rates id={board.id} range={range} />
      </Section>
      <Section
        title={t("title")}
        aside={
          <ChoiceRow
            label={t("filter")}
            choices={boardHistoryParts.map((id) => ({ id, label: t(`parts.${id}`) }))}
            value={part}
            onChoose={(next) => void set({ part: next, after: null })}
          />
        }
      >
        <Timeline
          board={board}
          part={part}
          after={after}
          onTurn={(cursor) => void set({ after: cursor === "" ? null : cursor })}
          onAll={() => void set({ part: null, after: null })}
        />
        <p className="mt-3 text-dense text-muted">{t("kept")}</p>
      </Section>
    </>
  );
}

function Rates({ id, range }: { id: string; range: (typeof availabilityRanges)[number] }) {
  const t = useTranslations("boards.history");
  const data = useQuery(boardAvailabilityQuery(id, range)).data;
  if (!data) return null;
  const { loads, tests } = data;
  const of = (good: number, bad: number) =>
    good + bad === 0 ? "–" : t("loadsOf", { succeeded: good, all: good + bad });
  return (
    <dl className="mt-4 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 text-dense">
      <dt className="text-muted">{t("loads")}</dt>
      <dd data-testid="loads">{of(loads.succeeded, loads.failed)}</dd>
      <dt className="text-muted">{t("tests")}</dt>
      <dd data-testid="tests">{of(tests.passed, tests.failed)}</dd>
    </dl>
  );
}

function Timeline({
  board,
  part,
  after,
  onTurn,
  onAll,
}: {
  board: BoardDetail;
  part: (typeof boardHistoryParts)[number];
  after: string;
  onTurn: (cursor: string) => void;
  onAll: () => void;
}) {
  const t = useTranslations("boards.history");
  const query = useQuery({
    ...boardHistoryQuery(board.id, { part, cursor: after }),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={query} loading={<Skeleton lines={8} />} failure={t("unreadable")}>
      {({ items, nextCursor }) =>
        items.length === 0 ? (
          <Empty
            title={part === "all" ? t("none") : t("noneOfPart")}
            action={
              part === "all" ? undefined : (
                <button type="button" className="btn" onClick={onAll}>
                  {t("showAll")}
                </button>
              )
            }
          />
        ) : (
          <>
            <ol className="border-t border-line text-dense">
              {items.map((item) => (
                <Line key={item.id} item={item} isAlone={board.slots.length === 1} />
              ))}
            </ol>
            <nav aria-label={t("title")} className="mt-3 flex gap-2">
              {after === "" ? null : (
                <button type="button" className="btn btn-dense" onClick={() => onTurn("")}>
                  {t("newest")}
                </button>
              )}
              {nextCursor === null ? null : (
                <button type="button" className="btn btn-dense" onClick={() => onTurn(nextCursor)}>
                  {t("older")}
                </button>
              )}
            </nav>
          </>
        )
      }
    </Loaded>
  );
}

/** What happened in words, and how it feels. */
function useAppearanceOf(): (item: BoardHistoryItem) => Appearance {
  const t = useTranslations("boards.history.kinds");
  const states = useBoardAppearance();
  return ({ kind, from, to, problem, mode, person }) => {
    const say = (tone: Appearance["tone"], label: string): Appearance => ({ tone, label, why: "" });
    switch (kind) {
      case "state":
        return say(
          to ? states[to].tone : "idle",
          t("state", { from: from ? states[from].label : "–", to: to ? states[to].label : "–" }),
        );
      case "tested":
        return problem ? say("bad", t("testFailed")) : say("ok", t("tested"));
      case "blinked":
        return problem ? say("bad", t("notBlinked")) : say("info", t("blinked"));
      case "drained":
        return say("warn", t(mode === "keep" ? "drainedKeep" : "drainedMove"));
      case "loaded":
      case "back":
        return say("ok", t(kind));
      case "failed":
      case "lost":
        return say("bad", t(kind));
      case "emptied":
      case "resumed":
      case "reloaded":
        return say("info", t(kind));
      case "leased":
        return say("info", t("leased", { person: person ?? "none" }));
      case "handed-back":
        return say("info", t("handedBack"));
    }
  };
}

function Line({ item, isAlone }: { item: BoardHistoryItem; isAlone: boolean }) {
  const t = useTranslations("boards");
  const appearanceOf = useAppearanceOf();
  const { at, place, endpoint, revision, artifactDigest, problem, durationMs, rows } = item;
  return (
    <li className="grid gap-x-4 border-b border-line py-2 tablet:grid-cols-[150px_minmax(0,1fr)]">
      <span className="text-muted">
        <Age time={at} />
      </span>
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-3">
        <StateMark appearance={appearanceOf(item)} />
        {endpoint ? (
          <Link href={`/endpoints/${endpoint}`} className="min-w-0 break-words">
            {endpoint}
          </Link>
        ) : null}
        {revision === undefined ? null : (
          <span className="text-muted">{t("history.revision", { number: revision })}</span>
        )}
        {place === null || isAlone ? null : (
          <span className="text-muted">{t("place", { number: place + 1 })}</span>
        )}
        {artifactDigest ? (
          <code className="text-muted" title={artifactDigest}>
            {shortDigest(artifactDigest)}
          </code>
        ) : null}
        {rows ? <span className="text-muted">{t("history.rows", { count: rows })}</span> : null}
        {durationMs === undefined ? null : (
          <span className="text-muted">
            {t("history.took", { time: formatDuration(durationMs) })}
          </span>
        )}
        {problem ? <span className="w-full break-words text-bad">{problem.message}</span> : null}
      </span>
    </li>
  );
}
