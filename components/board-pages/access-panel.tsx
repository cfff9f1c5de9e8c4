"use client";

import dynamic from "next/dynamic";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Section } from "@/components/ui";
import type { BoardDetail } from "@/lib/common/contract";
import { LeasedTo } from "./board-card";

const BoardLeases = dynamic(
  () => import("@/components/leases").then((module) => module.BoardLeases),
  { ssr: false },
);

/** Who has the board now, who has booked it, and who waits for it. */
export function AccessPanel({ board }: { board: BoardDetail }) {
  const t = useTranslations("boards.access");
  const own = board.slots.filter(({ endpointName }) => endpointName !== null);
  const others = board.lease
    ? []
    : board.slots.filter(({ free, endpointName }) => !free && endpointName === null);
  return (
    <div className="grid gap-x-12 desk:grid-cols-2">
      <Section id="holders" title={t("holders")}>
        <LeasedTo board={board} />
        {own.length === 0 && !board.lease ? <p className="text-muted">{t("none")}</p> : null}
        <ul className="text-dense">
          {own.map(({ id, endpointName, wanted, index }) => (
            <li key={id} className="border-b border-line py-2 break-words">
              <Link href={`/endpoints/${endpointName}`}>
                {t("holds", {
                  endpoint: endpointName ?? "",
                  revision: wanted?.revision ?? "–",
                  place: index + 1,
                })}
              </Link>
            </li>
          ))}
        </ul>
        {others.length > 0 ? (
          <p className="mt-2 text-dense text-muted">{t("others", { count: others.length })}</p>
        ) : null}
      </Section>
      <Section title={t("waiting")}>
        {board.waiting.length === 0 ? <p className="text-muted">{t("waitingNone")}</p> : null}
        <ol className="text-dense">
          {board.waiting.map(({ endpoint, revision }) => (
            <li key={endpoint} className="border-b border-line py-2 break-words">
              <Link href={`/endpoints/${endpoint}`}>{t("waits", { endpoint, revision })}</Link>
            </li>
          ))}
        </ol>
      </Section>
      {board.kind === "cpu" || board.removedAt ? null : (
        <div className="desk:col-span-2">
          <BoardLeases board={board} />
        </div>
      )}
    </div>
  );
}
