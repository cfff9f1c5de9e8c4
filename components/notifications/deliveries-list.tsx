"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { parseAsString, useQueryState } from "nuqs";
import {
  Age,
  ErrorNote,
  formatDuration,
  Loaded,
  Skeleton,
  StateMark,
  shortId,
  useNow,
} from "@/components/ui";
import type { Delivery } from "@/lib/common/contract";
import { deliveriesQuery, redeliver } from "./api";

const tones = { waiting: "run", delivered: "ok", failed: "bad" } as const satisfies Record<
  Delivery["state"],
  string
>;

/** What was sent to whom, what the receiver answered, and the way to send it again. */
export function DeliveriesList() {
  const t = useTranslations("notifications.deliveries");
  const [cursor, setCursor] = useQueryState("cursor", parseAsString);
  const query = useQuery({ ...deliveriesQuery(cursor), placeholderData: keepPreviousData });
  const client = useQueryClient();
  const again = useMutation({
    mutationFn: redeliver,
    onSettled: () => client.invalidateQueries({ queryKey: ["notifications", "deliveries"] }),
  });
  return (
    <Loaded
      query={query}
      loading={<Skeleton lines={5} height={28} />}
      failure={t("unreadable")}
      empty={<p className="text-muted">{t("none")}</p>}
    >
      {({ items, nextCursor }) => (
        <>
          <ul className="border-t border-line" aria-label={t("title")}>
            {items.map((delivery) => (
              <Row
                key={delivery.id}
                delivery={delivery}
                isBusy={again.isPending}
                onAgain={() => again.mutate(delivery.id)}
              />
            ))}
          </ul>
          {again.isError ? <ErrorNote title={t("notAsked")} error={again.error} /> : null}
          <p className="mt-3 flex gap-2">
            {cursor === null ? null : (
              <button
                type="button"
                className="btn btn-dense"
                onClick={() => void setCursor(null, { history: "push" })}
              >
                {t("newest")}
              </button>
            )}
            {nextCursor === null ? null : (
              <button
                type="button"
                className="btn btn-dense"
                onClick={() => void setCursor(nextCursor, { history: "push" })}
              >
                {t("older")}
              </button>
            )}
          </p>
        </>
      )}
    </Loaded>
  );
}

interface RowProps {
  readonly delivery: Delivery;
  readonly isBusy: boolean;
  readonly onAgain: () => void;
}

function Row({ delivery, isBusy, onAgain }: RowProps) {
  const t = useTranslations("notifications.deliveries");
  const now = useNow();
  const { state, address, event, buildId, status, problem, tries, nextAt, createdAt } = delivery;
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line py-2 text-dense">
      <span className="w-28">
        <StateMark appearance={{ tone: tones[state], label: t(`states.${state}`), why: "" }} />
      </span>
      <span className="min-w-0 flex-1 basis-64">
        <code className="break-all">{address}</code>
        <span className="block text-muted">
          {event}
          {buildId ? (
            <>
              {" · "}
              <Link href={`/builds/${buildId}`}>{t("build", { id: shortId(buildId) })}</Link>
            </>
          ) : null}
          {" · "}
          <Age time={createdAt} />
          {tries > 0 ? ` · ${t("tries", { count: tries })}` : null}
          {status === null ? null : ` · ${t("answered", { status })}`}
        </span>
        {problem ? <span className="block break-words">{problem}</span> : null}
        {state === "waiting" && nextAt && tries > 0 ? (
          <span className="block text-muted">
            {t("nextTry", { time: formatDuration(Math.max(0, Date.parse(nextAt) - now)) })}
          </span>
        ) : null}
      </span>
      <button
        type="button"
        className="btn btn-dense"
        disabled={isBusy}
        aria-label={t("againTo", { address, event })}
        onClick={onAgain}
      >
        {t("again")}
      </button>
    </li>
  );
}
