"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import {
  ErrorNote,
  FormField,
  Loaded,
  Section,
  Skeleton,
  submitOnce,
  TextField,
  useWhen,
} from "@/components/ui";
import type { Board, Lease, LeaseLimits, LeaseWait } from "@/lib/common/contract";
import { askLease, leasesQuery, takeLease, waitsQuery } from "./api";
import { LeaseCalendar } from "./lease-calendar";
import { useWho } from "./use-who";

/** The calendar of a board, its bookings, its waiting list, and the way to book it for later. */
export function BoardLeases({ board }: { board: Board }) {
  const t = useTranslations("leases");
  return (
    <>
      <Section title={t("calendar")} id="calendar">
        <Loaded
          query={useQuery(leasesQuery(board.id))}
          loading={<Skeleton lines={4} />}
          failure={t("unreadable")}
        >
          {({ items, limits }) => (
            <>
              <LeaseCalendar leases={items} />
              <Bookings
                leases={items.filter(({ state, isMine }) => isMine && state === "booked")}
              />
              <BookingForm board={board} limits={limits} />
            </>
          )}
        </Loaded>
      </Section>
      <Section title={t("waiting")} id="waiting">
        <Loaded
          query={useQuery(waitsQuery(board.id))}
          loading={<Skeleton lines={2} />}
          failure={t("unreadable")}
        >
          {({ items }) => <WaitingList waits={items} />}
        </Loaded>
      </Section>
    </>
  );
}

function Bookings({ leases }: { leases: readonly Lease[] }) {
  const t = useTranslations("leases");
  const when = useWhen();
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: (id: string) => askLease(id, "release"),
    onSettled: () => client.invalidateQueries({ queryKey: ["boards"] }),
  });
  return (
    <>
      {leases.length > 0 ? (
        <ul className="mt-3 text-dense">
          {leases.map((lease) => (
            <li key={lease.id} className="flex flex-wrap items-center gap-3 py-1">
              <span>{t("booked", { from: when(lease.startsAt), to: when(lease.endsAt) })}</span>
              <button
                type="button"
                className="btn btn-dense"
                disabled={cancel.isPending}
                onClick={() => cancel.mutate(lease.id ?? "")}
              >
                {t("cancel")}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {cancel.isError ? <ErrorNote title={t("refused")} error={cancel.error} /> : null}
    </>
  );
}

/** The next full hour, as a field for a local time has it. */
function nextHour(): string {
  const time = new Date();
  time.setHours(time.getHours() + 1, 0, 0, 0);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function BookingForm({ board, limits }: { board: Board; limits: LeaseLimits }) {
  const t = useTranslations("leases");
  const id = useId();
  const client = useQueryClient();
  const [startsAt, setStartsAt] = useState(nextHour);
  const [minutes, setMinutes] = useState(String(limits.minutes));
  const [purpose, setPurpose] = useState("");
  const book = useMutation({
    mutationFn: () =>
      takeLease({
        board: { id: board.id },
        startsAt: new Date(startsAt).toISOString(),
        minutes: Number(minutes),
        purpose,
      }),
    onSuccess: () => setPurpose(""),
    onSettled: () => client.invalidateQueries({ queryKey: ["boards"] }),
  });
  return (
    <form className="mt-6 grid max-w-2xl gap-4 tablet:grid-cols-2" onSubmit={submitOnce(book)}>
      <TextField
        id={`${id}-start`}
        type="datetime-local"
        label={t("begin")}
        value={startsAt}
        onChange={setStartsAt}
      />
      <TextField
        id={`${id}-minutes`}
        type="number"
        min={1}
        max={limits.mostMinutes}
        label={t("bookMinutes")}
        value={minutes}
        onChange={setMinutes}
      />
      <FormField id={`${id}-purpose`} label={t("purpose")}>
        <input
          id={`${id}-purpose`}
          className="field w-full"
          maxLength={200}
          value={purpose}
          onChange={({ target }) => setPurpose(target.value)}
        />
      </FormField>
      <div className="self-end">
        <button type="submit" className="btn" disabled={book.isPending} aria-busy={book.isPending}>
          {t("book")}
        </button>
      </div>
      {book.isError ? (
        <div className="tablet:col-span-2">
          <ErrorNote title={t("refused")} error={book.error} />
        </div>
      ) : null}
    </form>
  );
}

/** Who waits, the next one first. */
export function WaitingList({ waits }: { waits: readonly LeaseWait[] }) {
  const t = useTranslations("leases");
  const who = useWho();
  const when = useWhen();
  if (waits.length === 0) return <p className="text-muted">{t("waitingNone")}</p>;
  return (
    <ol className="border-t border-line text-dense">
      {waits.map((wait) => (
        <li
          key={`${wait.boardId} ${wait.boardModel} ${wait.boardKind} ${wait.place}`}
          className="flex flex-wrap gap-x-3 border-b border-line py-2"
        >
          <span className="break-words">
            {wait.boardId === null
              ? t("waitsModel", { place: wait.place, who: who(wait), model: wait.boardModel })
              : t("waits", { place: wait.place, who: who(wait), minutes: wait.minutes })}
          </span>
          {wait.expectedAt ? (
            <span className="text-muted">{t("expected", { time: when(wait.expectedAt) })}</span>
          ) : null}
        </li>
      ))}
    </ol>
  );
}
