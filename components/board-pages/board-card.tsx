"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { BoardFigure, BoardState, useBoardFacts, useSlotAppearance } from "@/components/boards";
import { Age, StateMark, shortDigest, useNow, useWhen } from "@/components/ui";
import type { Board } from "@/lib/common/contract";

/** So many places are named in a list. */
const mostSlots = 4;

/** A board in a list: its drawing close to its name, its state, and what it holds. */
export function BoardCard({ board }: { board: Board }) {
  const t = useTranslations("boards");
  const facts = useBoardFacts(board.boardModel);
  return (
    <div className="grid grid-cols-[92px_minmax(0,1fr)] gap-4 tablet:grid-cols-[112px_minmax(0,1fr)]">
      <div className="flex items-start justify-end pt-1">
        <BoardFigure board={board} height={84} />
      </div>
      <div className="min-w-0">
        <h2 className="text-body">
          <Link className="row-link break-words" href={`/boards/${board.id}`}>
            {board.name}
          </Link>
          <BoardBadges board={board} />
        </h2>
        <div className="text-dense">
          <BoardState board={board} />
          <span className="text-muted">
            {" "}
            · {facts.name} · <span className="break-words">{board.serverName}</span>
            {board.heartbeatAt ? (
              <>
                , {t("heard")} <Age time={board.heartbeatAt} />
              </>
            ) : null}
          </span>
        </div>
        <LeasedTo board={board} />
        <Holds board={board} />
      </div>
    </div>
  );
}

/** What a board is beside its state: simulated, drained. */
export function BoardBadges({ board }: { board: Pick<Board, "kind" | "drain"> }) {
  const t = useTranslations("boards");
  return (
    <>
      {board.kind === "simulated" ? <span className="label ml-2">{t("simulated")}</span> : null}
      {board.drain ? <span className="label ml-2 text-warn">{t("drained")}</span> : null}
    </>
  );
}

/** Who has it for themselves, and until when; of another project without a name. */
export function LeasedTo({ board: { lease } }: { board: Board }) {
  const t = useTranslations("boards.leased");
  const when = useWhen();
  const now = useNow();
  if (!lease || now === 0) return null;
  const time = when(lease.until);
  return (
    <p className="mt-1 text-dense break-words">
      {lease.isOurs
        ? lease.person
          ? t("ours", { person: lease.person, time })
          : t("somebody", { time })
        : t("other", { time })}
    </p>
  );
}

/** What its places hold, a few of them; and how many are free. */
function Holds({ board }: { board: Board }) {
  const t = useTranslations("boards");
  const appearance = useSlotAppearance();
  const held = board.slots.filter(({ state }) => state !== "empty");
  return (
    <>
      <ul className="mt-1.5 text-dense">
        {held.slice(0, mostSlots).map((slot) => (
          <li key={slot.id} className="flex flex-wrap items-baseline gap-x-2 py-0.5">
            {slot.endpointName ? (
              <Link href={`/endpoints/${slot.endpointName}`} className="max-w-full truncate">
                {slot.endpointName}
              </Link>
            ) : (
              <span className="text-muted">{t("place", { number: slot.index + 1 })}</span>
            )}
            <StateMark appearance={appearance[slot.state]} />
            {slot.artifactDigest ? (
              <code className="text-muted" title={slot.artifactDigest}>
                {shortDigest(slot.artifactDigest)}
              </code>
            ) : null}
            {slot.problem ? (
              <span className="w-full break-words text-bad">{slot.problem}</span>
            ) : null}
          </li>
        ))}
      </ul>
      {held.length > mostSlots ? (
        <Link href={`/boards/${board.id}`} className="text-dense">
          {t("list.more", { count: held.length - mostSlots })}
        </Link>
      ) : null}
      {board.slots.length > 1 ? (
        <p className="text-dense text-muted">
          {t("placesFree", { free: board.slots.length - held.length, all: board.slots.length })}
        </p>
      ) : null}
    </>
  );
}
