"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { boardModelsQuery, boardsQuery, useBoardFacts } from "@/components/boards";
import { ErrorNote, Loaded, Section, StateMark } from "@/components/ui";
import type { Attachment, TrialStep } from "@/lib/common/contract";
import { attach, attachmentsQuery, detach } from "./api";
import { attachmentAppearance, trialStepAppearance } from "./appearance";
import { GiveUp } from "./give-up";
import { useBoardsRefresh } from "./use-boards-refresh";

/** Boards of BondMachine's original system, by their addresses, and how their trials went. */
export function Attachments() {
  return (
    <Section id="addresses" title="At an address">
      <p className="mb-2 max-w-[68ch] text-muted">
        Boards of BondMachine’s original system, which answer gRPC. One is tried at once by one load
        and one prediction; what it served before is replaced. Whatever it answers is never shown as
        proven.
      </p>
      <Loaded
        query={useQuery(attachmentsQuery())}
        loading={null}
        failure="The boards at addresses cannot be read."
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
  const facts = useBoardFacts(boardModel);
  const refresh = useBoardsRefresh(attachmentsQuery().queryKey);
  return (
    <li className="grid gap-x-8 gap-y-3 border-b border-line py-4 tablet:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <h3 className="break-words text-body">{address}</h3>
        <p className="text-dense break-words text-muted">
          {facts.name} <b>{key}</b> · tried with {bitstream} · {serverName}
        </p>
        <ol className="mt-2 text-dense" aria-label={`Trial of ${address}`}>
          {steps.map((step) => (
            <Step key={step.name} step={step} />
          ))}
        </ol>
      </div>
      <GiveUp name={address} mutationFn={() => detach(id)} onSuccess={refresh}>
        <StateMark appearance={attachmentAppearance[state]} />
      </GiveUp>
    </li>
  );
}

const stepTitles = {
  connect: "Connect",
  load: "Load",
  predict: "Predict",
} as const satisfies Record<TrialStep["name"], string>;

function Step({ step: { name, state, message, hint, durationMs } }: { step: TrialStep }) {
  return (
    <li className="grid grid-cols-[72px_minmax(0,1fr)] gap-x-3 py-0.5">
      <span>{stepTitles[name]}</span>
      <span className="min-w-0 break-words">
        <StateMark appearance={trialStepAppearance[state]} />
        {durationMs === undefined ? null : <span className="text-muted"> {durationMs} ms</span>}
        {message ? <span className="block">{message}</span> : null}
        {hint ? <span className="block text-muted">{hint}</span> : null}
      </span>
    </li>
  );
}

function NewAttachment() {
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
    <form className="mt-4 text-dense" onSubmit={submit} aria-label="Attach a board">
      <div className="grid items-end gap-3 tablet:grid-cols-[1.4fr_1fr_1.2fr_88px_auto]">
        <Field label="Address">
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
        <Field label="Board model">
          {(id) => (
            <Options
              id={id}
              value={boardModel}
              options={choices.map((model) => [model.id, model.name])}
              onChange={setBoardModel}
            />
          )}
        </Field>
        <Field label="Firmware in its store">
          {(id) => (
            <input id={id} name="bitstream" className="field" placeholder="banknote" required />
          )}
        </Field>
        <Field label="Inputs">
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
          Attach and try
        </button>
      </div>
      {servers.size > 1 ? (
        <div className="mt-3 max-w-64">
          <Field label="Board server">
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
          <ErrorNote title="It was not attached." error={add.error} />
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
