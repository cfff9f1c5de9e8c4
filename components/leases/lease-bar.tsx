"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { useSlotAppearance } from "@/components/boards";
import {
  ErrorNote,
  FormField,
  formatDuration,
  Loaded,
  modelTitle,
  Skeleton,
  StateMark,
  shortDigest,
  useNow,
  useWhen,
} from "@/components/ui";
import type { Board, Lease, LeaseLimits } from "@/lib/common/contract";
import {
  askLease,
  joinWaiting,
  type LeaseAction,
  leasesQuery,
  leaveWaiting,
  loadableQuery,
  takeLease,
  waitsQuery,
} from "./api";
import { PassedOn } from "./passed-on";
import { SpeakWithBoard } from "./speak/speak-with-board";
import { useWho } from "./use-who";

/** Who has a board now, and what one can do about it: lease it, wait for it, extend, load, hand back. */
export function LeaseBar({ board }: { board: Board }) {
  const t = useTranslations("leases");
  return (
    <section
      aria-label={t("bar")}
      className="my-4 border-l-2 border-info py-1 pl-4"
      data-testid="lease-bar"
    >
      <Loaded
        query={useQuery(leasesQuery(board.id))}
        loading={<Skeleton lines={1} height={36} />}
        failure={t("unreadable")}
      >
        {({ items, limits, passedOn }) => {
          const current = items.find(({ state }) => state === "active");
          const own = current?.isMine ? current : null;
          return (
            <>
              {own ? null : (
                <PassedOn passedOn={passedOn.filter(({ boardId }) => boardId === board.id)} />
              )}
              {own ? (
                <Mine lease={own} limits={limits} />
              ) : (
                <Theirs board={board} current={current ?? null} limits={limits} />
              )}
              <SpeakWithBoard lease={own} />
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

/** Everything of boards is read again after a change of a lease. */
function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ["boards"] });
}

function Mine({ lease, limits }: { lease: Lease; limits: LeaseLimits }) {
  const t = useTranslations("leases");
  const when = useWhen();
  const now = useNow();
  const refresh = useRefresh();
  const ask = useMutation({
    mutationFn: ({ action, body }: { action: LeaseAction; body?: object }) =>
      askLease(lease.id ?? "", action, body),
    onSettled: refresh,
  });
  const leftMs = Math.max(0, Date.parse(lease.endsAt) - now);
  const share = leftMs / Math.max(1, Date.parse(lease.endsAt) - Date.parse(lease.startsAt));
  return (
    <div className="grid gap-3">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="font-strong">{t("yours", { time: when(lease.endsAt) })}</span>
        <span className="text-muted" role="timer">
          {t("left", { time: formatDuration(Math.floor(leftMs / 1000) * 1000) })}
        </span>
      </p>
      {lease.acceptBy ? (
        <p role="status" className="text-warn">
          {t("acceptBy", { time: when(lease.acceptBy) })}
        </p>
      ) : null}
      <svg
        viewBox="0 0 1000 4"
        preserveAspectRatio="none"
        className="block h-1 w-full max-w-96 bg-sunken"
        aria-hidden="true"
      >
        <rect width={Math.round(share * 1000)} height={4} fill="var(--accent)" />
      </svg>
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="btn"
          disabled={ask.isPending}
          onClick={() => ask.mutate({ action: "extend", body: { minutes: extensionOf(limits) } })}
        >
          {t("extend", { minutes: extensionOf(limits) })}
        </button>
        <button
          type="button"
          className="btn"
          disabled={ask.isPending}
          onClick={() => ask.mutate({ action: "release" })}
        >
          {t("handBack")}
        </button>
      </div>
      <Firmware
        lease={lease}
        isPending={ask.isPending}
        onLoad={(artifactDigest) => ask.mutate({ action: "load", body: { artifactDigest } })}
        onUnload={() => ask.mutate({ action: "unload" })}
      />
      {ask.isError ? <ErrorNote title={t("refused")} error={ask.error} /> : null}
    </div>
  );
}

/** A part of a usual lease. */
const extensionOf = ({ minutes }: LeaseLimits): number => Math.max(1, Math.round(minutes / 2));

function Firmware({
  lease,
  isPending,
  onLoad,
  onUnload,
}: {
  lease: Lease;
  isPending: boolean;
  onLoad: (digest: string) => void;
  onUnload: () => void;
}) {
  const t = useTranslations("leases");
  const id = useId();
  const appearance = useSlotAppearance();
  const { data } = useQuery(loadableQuery(lease.boardId));
  const [chosen, setChosen] = useState("");
  const { firmware } = lease;
  const items = data?.items ?? [];
  const digest = chosen || (items[0]?.digest ?? "");
  return (
    <div className="grid max-w-2xl gap-2">
      {firmware ? (
        <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-dense">
          <span className="text-muted">{t("loaded")}</span>
          <code title={firmware.artifactDigest}>{shortDigest(firmware.artifactDigest)}</code>
          <StateMark appearance={appearance[firmware.state]} />
          <button type="button" className="btn btn-dense" disabled={isPending} onClick={onUnload}>
            {t("unload")}
          </button>
          {firmware.problem ? (
            <p className="w-full break-words text-bad">{firmware.problem.message}</p>
          ) : null}
        </div>
      ) : null}
      {data && items.length === 0 ? (
        <p className="text-dense text-muted">{t("nothingFits")}</p>
      ) : (
        <form
          className="flex flex-wrap items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (digest !== "" && !isPending) onLoad(digest);
          }}
        >
          <FormField id={id} label={t("firmware")}>
            <select
              id={id}
              className="field max-w-full"
              value={digest}
              onChange={({ target }) => setChosen(target.value)}
            >
              {items.map((each) => (
                <option key={each.digest} value={each.digest}>
                  {`${modelTitle(each.modelUrl, each.modelName)} · ${each.engine} · ${shortDigest(each.digest)}`}
                </option>
              ))}
            </select>
          </FormField>
          <button type="submit" className="btn" disabled={isPending || digest === ""}>
            {t("load")}
          </button>
        </form>
      )}
    </div>
  );
}

function Theirs({
  board,
  current,
  limits,
}: {
  board: Board;
  current: Lease | null;
  limits: LeaseLimits;
}) {
  const t = useTranslations("leases");
  const who = useWho();
  const when = useWhen();
  const refresh = useRefresh();
  const waits = useQuery(waitsQuery(board.id)).data?.items ?? [];
  const own = waits.find(({ isMine, boardId }) => isMine && boardId !== null);
  const id = useId();
  const [minutes, setMinutes] = useState(String(limits.minutes));
  const target = { board: { id: board.id }, minutes: Number(minutes), purpose: "" };
  const take = useMutation({ mutationFn: () => takeLease(target), onSettled: refresh });
  const wait = useMutation({ mutationFn: () => joinWaiting(target), onSettled: refresh });
  const leave = useMutation({
    mutationFn: () => leaveWaiting(own?.id ?? ""),
    onSettled: refresh,
  });
  const isTaken = current !== null || waits.length > 0 || board.state !== "free";
  const isBusy = take.isPending || wait.isPending || leave.isPending;
  return (
    <div className="grid gap-3">
      {current ? (
        <p className="font-strong break-words">
          {t("theirs", { who: who(current), time: when(current.endsAt) })}
        </p>
      ) : null}
      {own ? (
        <div className="flex flex-wrap items-center gap-3" role="status">
          <span>
            {t("yourPlace", { place: own.place })}
            {own.expectedAt ? ` ${t("expected", { time: when(own.expectedAt) })}` : ""}
          </span>
          <button
            type="button"
            className="btn btn-dense"
            disabled={isBusy}
            onClick={() => leave.mutate()}
          >
            {t("leave")}
          </button>
        </div>
      ) : (
        <form
          className="flex flex-wrap items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (!isBusy) (isTaken ? wait : take).mutate();
          }}
        >
          <FormField id={id} label={t("minutes")}>
            <input
              id={id}
              type="number"
              inputMode="numeric"
              className="field w-28"
              min={1}
              max={limits.mostMinutes}
              required
              value={minutes}
              onChange={({ target: { value } }) => setMinutes(value)}
            />
          </FormField>
          <button type="submit" className="btn btn-primary" disabled={isBusy} aria-busy={isBusy}>
            {isTaken ? t("wait") : t("lease")}
          </button>
        </form>
      )}
      {[take, wait, leave].map(({ error }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the three never change places
        error ? <ErrorNote key={index} title={t("refused")} error={error} /> : null,
      )}
    </div>
  );
}
