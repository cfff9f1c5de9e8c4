"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { boardModelsQuery } from "@/components/boards";
import { ErrorNote, FormField, Loaded, Skeleton, submitOnce, useWhen } from "@/components/ui";
import type { Lease } from "@/lib/common/contract";
import { joinWaiting, leasesQuery, takeLease, waitsQuery } from "./api";
import { WaitingList } from "./board-leases";
import { PassedOn } from "./passed-on";
import { useWho } from "./use-who";

/** Every lease and booking, who waits for what, and the way to a simulated board of one's own. */
export function LeasesSection() {
  const t = useTranslations("leases");
  const leases = useQuery(leasesQuery(null));
  return (
    <>
      <PassedOn passedOn={leases.data?.passedOn ?? []} />
      <Loaded
        query={leases}
        loading={<Skeleton lines={3} />}
        failure={t("unreadable")}
        empty={<p className="text-muted">{t("none")}</p>}
      >
        {({ items }) => <Leases leases={items} />}
      </Loaded>
      <Waiting />
      <SimulatedForm />
    </>
  );
}

function Leases({ leases }: { leases: readonly Lease[] }) {
  const t = useTranslations("leases");
  const who = useWho();
  const when = useWhen();
  return (
    <ul className="border-t border-line text-dense">
      {leases.map((lease) => (
        <li
          key={`${lease.boardId} ${lease.startsAt}`}
          className="flex flex-wrap gap-x-3 border-b border-line py-2"
        >
          <Link className="break-words" href={`/boards/${lease.boardId}?tab=access`}>
            {lease.boardName}
          </Link>
          <span className="break-words">
            {t("from", { who: who(lease), from: when(lease.startsAt), to: when(lease.endsAt) })}
          </span>
          <span className="text-muted">{t(`states.${lease.state}`)}</span>
        </li>
      ))}
    </ul>
  );
}

function Waiting() {
  const waits = useQuery(waitsQuery(null)).data?.items ?? [];
  return waits.length > 0 ? (
    <div className="mt-4">
      <WaitingList waits={waits} />
    </div>
  ) : null;
}

function SimulatedForm() {
  const t = useTranslations("leases");
  const id = useId();
  const router = useRouter();
  const client = useQueryClient();
  const models = useQuery(boardModelsQuery()).data?.items ?? [];
  const [model, setModel] = useState("icebreaker");
  const target = { board: { model, kind: "simulated" as const }, purpose: "" };
  const refresh = () => client.invalidateQueries({ queryKey: ["boards"] });
  const take = useMutation({
    mutationFn: () => takeLease(target),
    onSuccess: ({ boardId }) => router.push(`/boards/${boardId}`),
    onSettled: refresh,
  });
  const wait = useMutation({ mutationFn: () => joinWaiting(target), onSettled: refresh });
  return (
    <form className="mt-6 grid gap-3" onSubmit={submitOnce(take)}>
      <div className="flex flex-wrap items-end gap-2">
        <FormField id={id} label={t("simulatedModel")}>
          <select
            id={id}
            className="field max-w-full"
            value={model}
            onChange={({ target: { value } }) => setModel(value)}
          >
            {models
              .filter(({ kinds }) => kinds.includes("simulated"))
              .map((each) => (
                <option key={each.id} value={each.id}>
                  {each.name}
                </option>
              ))}
          </select>
        </FormField>
        <button type="submit" className="btn" disabled={take.isPending} aria-busy={take.isPending}>
          {t("leaseSimulated")}
        </button>
      </div>
      {take.isError ? (
        <>
          <ErrorNote title={t("refused")} error={take.error} />
          <div>
            <button
              type="button"
              className="btn btn-dense"
              disabled={wait.isPending || wait.isSuccess}
              onClick={() => wait.mutate()}
            >
              {wait.isSuccess ? t("waitingNow") : t("waitModel")}
            </button>
          </div>
        </>
      ) : null}
      {wait.isError ? <ErrorNote title={t("refused")} error={wait.error} /> : null}
    </form>
  );
}
