"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { boardModelsQuery, boardsQuery, useBoardFacts } from "@/components/boards";
import { ErrorNote, Loaded, Section, StateMark } from "@/components/ui";
import type { Attachment, TrialStep } from "@/lib/common/contract";
import { attach, attachmentsQuery, detach } from "./api";
import { attachmentTones, trialStepTones } from "./appearance";
import { GiveUp } from "./give-up";
import { useBoardsRefresh } from "./use-boards-refresh";

/** Boards of BondMachine's original system, by their addresses, and how their trials went. */
export function Attachments() {
  const t = useTranslations("boards.attach");
  return (
    <Section id="addresses" title={t("title")}>
      <p className="mb-2 max-w-[68ch] text-muted">{t("text")}</p>
      <Loaded
        query={useQuery(attachmentsQuery())}
        loading={null}
        failure={t("unreadable")}
        empty={null}
      >
        {({ items }) => (
          <ul className="border-t border-line">
            {items.map((attachment) => (
              <Attached key={attachment.id} attachment={attachment} />
            ))}
          </ul>
        )}
      </Loaded>
      <NewAttachment />
    </Section>
  );
}

function Attached({ attachment }: { attachment: Attachment }) {
  const { id, address, key, boardModel, bitstream, serverName, state, steps } = attachment;
  const t = useTranslations("boards.attach");
  const facts = useBoardFacts(boardModel);
  const refresh = useBoardsRefresh(attachmentsQuery().queryKey);
  return (
    <li className="grid gap-x-8 gap-y-3 border-b border-line py-4 tablet:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <h3 className="break-words text-body">{address}</h3>
        <p className="text-dense break-words text-muted">
          {t.rich("triedWith", {
            board: facts.name,
            key,
            bitstream,
            server: serverName,
            b: (words) => <b>{words}</b>,
          })}
        </p>
        <ol className="mt-2 text-dense" aria-label={t("trial", { address })}>
          {steps.map((step) => (
            <Step key={step.name} step={step} />
          ))}
        </ol>
      </div>
      <GiveUp name={address} mutationFn={() => detach(id)} onSuccess={refresh}>
        <StateMark
          appearance={{ tone: attachmentTones[state], label: t(`states.${state}`), why: "" }}
        />
      </GiveUp>
    </li>
  );
}

function Step({ step: { name, state, message, hint, durationMs } }: { step: TrialStep }) {
  const t = useTranslations("boards.attach");
  return (
    <li className="grid grid-cols-[72px_minmax(0,1fr)] gap-x-3 py-0.5">
      <span>{t(`steps.${name}`)}</span>
      <span className="min-w-0 break-words">
        <StateMark
          appearance={{ tone: trialStepTones[state], label: t(`stepStates.${state}`), why: "" }}
        />
        {durationMs === undefined ? null : <span className="text-muted"> {durationMs} ms</span>}
        {message ? <span className="block">{message}</span> : null}
        {hint ? <span className="block text-muted">{hint}</span> : null}
      </span>
    </li>
  );
}

function NewAttachment() {
  const t = useTranslations("boards.attach");
  const models = useQuery(boardModelsQuery()).data?.items ?? [];
  const boards = useQuery(boardsQuery()).data?.items ?? [];
  const servers = new Map(boards.map(({ serverId, serverName }) => [serverId, serverName]));
  const choices = models.filter(({ link }) => link === "axi");
  const [boardModel, setBoardModel] = useState("zedboard");
  const [serverId, setServerId] = useState<string | null>(null);
  const refresh = useBoardsRefresh(attachmentsQuery().queryKey);
  const add = useMutation({ mutationFn: attach, onSuccess: refresh });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const chosen = serverId ?? [...servers.keys()][0];
    add.mutate({
      address: String(fields.get("address")).trim(),
      boardModel,
      bitstream: String(fields.get("bitstream")).trim(),
      inputs: Number(fields.get("inputs")),
      ...(chosen === undefined ? {} : { serverId: chosen }),
    });
  };
  return (
    <form className="mt-4 text-dense" onSubmit={submit} aria-label={t("form")}>
      <div className="grid items-end gap-3 tablet:grid-cols-[1.4fr_1fr_1.2fr_88px_auto]">
        <Field label={t("address")}>
          {(id) => (
            <input
              id={id}
              name="address"
              className="field"
              placeholder="192.168.2.99:50051"
              required
            />
          )}
        </Field>
        <Field label={t("boardModel")}>
          {(id) => (
            <Options
              id={id}
              value={boardModel}
              options={choices.map((model) => [model.id, model.name])}
              onChange={setBoardModel}
            />
          )}
        </Field>
        <Field label={t("firmware")}>
          {(id) => (
            <input id={id} name="bitstream" className="field" placeholder="banknote" required />
          )}
        </Field>
        <Field label={t("inputs")}>
          {(id) => (
            <input
              id={id}
              name="inputs"
              type="number"
              className="field"
              min={1}
              max={65536}
              defaultValue={4}
              required
            />
          )}
        </Field>
        <button type="submit" className="btn" disabled={add.isPending}>
          {t("action")}
        </button>
      </div>
      {servers.size > 1 ? (
        <div className="mt-3 max-w-64">
          <Field label={t("server")}>
            {(id) => (
              <Options
                id={id}
                value={serverId ?? ""}
                options={[...servers]}
                onChange={setServerId}
              />
            )}
          </Field>
        </div>
      ) : null}
      {add.isError ? (
        <div className="mt-3">
          <ErrorNote title={t("failed")} error={add.error} />
        </div>
      ) : null}
    </form>
  );
}

function Field({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="grid min-w-0 gap-1">
      <label className="text-muted" htmlFor={id}>
        {label}
      </label>
      {children(id)}
    </div>
  );
}

function Options({
  id,
  value,
  options,
  onChange,
}: {
  id: string;
  value: string;
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}) {
  return (
    <select
      id={id}
      className="field"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {options.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </select>
  );
}
