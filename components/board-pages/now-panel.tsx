"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useBoardFacts, useSlotAppearance } from "@/components/boards";
import { RateCell } from "@/components/endpoints";
import { Age, CopyButton, Empty, Section, StateMark, shortDigest } from "@/components/ui";
import type { BoardDetail, SlotDetail } from "@/lib/common/contract";
import { AvailabilityStrip } from "./availability-strip";
import { TaskList } from "./task-list";

/** What the board holds and whether that is what it should, how it is, and what was asked of it. */
export function NowPanel({ board }: { board: BoardDetail }) {
  const t = useTranslations("boards.now");
  return (
    <div className="grid gap-x-12 desk:grid-cols-[minmax(0,7fr)_minmax(0,4fr)]">
      <Section id="places" title={t("places")}>
        <Places board={board} />
      </Section>
      <Section id="facts" title={t("facts")}>
        <Facts board={board} />
      </Section>
      <div className="desk:col-span-2">
        <Section title={t("availability")}>
          <AvailabilityStrip id={board.id} range="24h" />
        </Section>
        <TaskList board={board} />
      </div>
    </div>
  );
}

function Places({ board }: { board: BoardDetail }) {
  const t = useTranslations("boards.now");
  const held = board.slots.filter(({ free }) => !free);
  const free = board.slots.length - held.length;
  if (held.length === 0)
    return (
      <Empty
        title={t("nothing")}
        action={
          board.drain || board.removedAt ? undefined : (
            <Link className="btn" href={`/deploy?board=${board.boardModel}`}>
              {t("deploy")}
            </Link>
          )
        }
      />
    );
  return (
    <>
      <ul className="border-t border-line">
        {held.map((slot) => (
          <Place key={slot.id} slot={slot} isLeased={board.lease !== undefined} />
        ))}
      </ul>
      {free > 0 ? (
        <p className="mt-2 text-dense text-muted">{t("moreFree", { count: free })}</p>
      ) : null}
    </>
  );
}

function Place({ slot, isLeased }: { slot: SlotDetail; isLeased: boolean }) {
  const t = useTranslations("boards");
  const appearance = useSlotAppearance();
  const { endpointName, artifactDigest, wanted, why, changedAt } = slot;
  return (
    <li className="border-b border-line py-4">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h3 className="min-w-0 text-body break-words">
          {endpointName ? (
            <Link href={`/endpoints/${endpointName}`}>{endpointName}</Link>
          ) : (
            <>
              {t("place", { number: slot.index + 1 })} ·{" "}
              {isLeased ? t("now.ofHolder") : t("now.otherProject")}
            </>
          )}
        </h3>
        <StateMark appearance={appearance[slot.state]} />
        <span className="text-dense text-muted">
          <Age time={changedAt} />
        </span>
      </div>
      <dl className="mt-2 grid grid-cols-[fit-content(50%)_minmax(0,1fr)] gap-x-4 gap-y-1 text-dense">
        <dt className="text-muted">{t("now.artifact")}</dt>
        <dd className="min-w-0">
          {artifactDigest ? (
            <>
              {slot.buildId ? (
                <Link href={`/builds/${slot.buildId}`} title={artifactDigest}>
                  <code>{shortDigest(artifactDigest)}</code>
                </Link>
              ) : (
                <code title={artifactDigest}>{shortDigest(artifactDigest)}</code>
              )}
              <CopyButton text={artifactDigest} />
            </>
          ) : (
            "–"
          )}
        </dd>
        <dt className="text-muted">{t("now.check")}</dt>
        <dd className="min-w-0">
          <Matches slot={slot} />
          {slot.matches === false && wanted ? (
            <p className="mt-1 break-words text-muted">
              {t("now.should", {
                wanted: wanted.artifactDigest ? shortDigest(wanted.artifactDigest) : "–",
                endpoint: endpointName ?? "–",
                revision: wanted.revision,
              })}
            </p>
          ) : null}
        </dd>
        {endpointName && slot.state === "serving" ? (
          <>
            <dt className="text-muted">{t("now.requests")}</dt>
            <dd>
              <RateCell name={endpointName} />
            </dd>
          </>
        ) : null}
      </dl>
      {why ? (
        <div className="mt-2 text-dense">
          <p className="break-words text-bad">{why.message}</p>
          {why.hint ? <p className="break-words text-muted">{why.hint}</p> : null}
        </div>
      ) : null}
    </li>
  );
}

function Matches({ slot: { matches } }: { slot: SlotDetail }) {
  const t = useTranslations("boards.now");
  const why = "";
  if (matches === null)
    return <StateMark appearance={{ tone: "run", label: t("changing"), why }} />;
  return matches ? (
    <StateMark appearance={{ tone: "ok", label: t("matches"), why }} />
  ) : (
    <StateMark appearance={{ tone: "warn", label: t("differs"), why }} />
  );
}

function Facts({ board }: { board: BoardDetail }) {
  const t = useTranslations("boards");
  const facts = useBoardFacts(board.boardModel);
  const { server, slots, verifiedOnHardware } = board;
  const free = slots.filter((slot) => slot.free).length;
  return (
    <>
      <dl className="grid grid-cols-[minmax(112px,max-content)_minmax(0,1fr)] gap-x-4 gap-y-2 text-dense">
        <dt className="text-muted">{t("now.heartbeat")}</dt>
        <dd>{server.heartbeatAt ? <Age time={server.heartbeatAt} /> : t("never")}</dd>
        <dt className="text-muted">{t("now.places2")}</dt>
        <dd>{t("placesFree", { free, all: slots.length })}</dd>
        <dt className="text-muted">{t("now.server")}</dt>
        <dd className="break-words">{server.name}</dd>
        <dt className="text-muted">{t("now.board")}</dt>
        <dd>
          <Link href={`/boards#${board.boardModel}`}>{facts.name}</Link>
        </dd>
        {board.reachedAt ? (
          <>
            <dt className="text-muted">{t("now.reached")}</dt>
            <dd>
              <code className="break-all">{board.reachedAt}</code>
            </dd>
          </>
        ) : null}
      </dl>
      {board.kind === "cpu" ? null : (
        <p className="mt-4 text-dense text-muted">
          {verifiedOnHardware
            ? t("verified", { words: verifiedOnHardware })
            : t("unverified", { name: facts.name })}
        </p>
      )}
    </>
  );
}
