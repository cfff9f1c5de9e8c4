"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useBoardFacts, useBoardTitles } from "@/components/boards";
import { ErrorNote, Loaded, Section } from "@/components/ui";
import type { SeenDevice } from "@/lib/common/contract";
import { adopt, release, sightingsQuery } from "./api";
import { GiveUp } from "./give-up";
import { useBoardsRefresh } from "./use-boards-refresh";

/** What board servers see on their USB, and what became of it. Nothing while there is nothing. */
export function Sightings() {
  return (
    <Loaded
      query={useQuery(sightingsQuery())}
      loading={null}
      failure="What is on USB cannot be read."
      around={(note) => <div className="mb-12">{note}</div>}
      empty={null}
    >
      {({ items }) => <OnUsb seen={items} />}
    </Loaded>
  );
}

function OnUsb({ seen }: { seen: readonly SeenDevice[] }) {
  return (
    <Section id="usb" title="On USB">
      <p className="mb-2 max-w-[68ch] text-muted">
        Devices on the hosts of board servers that may be boards. One that is adopted is a board
        like any other: its server programs it and speaks with it.
      </p>
      <ul className="border-t border-line">
        {seen.map((device) => (
          <Device key={`${device.serverId} ${device.key}`} device={device} />
        ))}
      </ul>
    </Section>
  );
}

function Device({ device }: { device: SeenDevice }) {
  const { product, serialNumber, serialPort, serverName, adoptedAs } = device;
  return (
    <li className="grid gap-x-8 gap-y-3 border-b border-line py-4 tablet:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <h3 className="text-body">{product}</h3>
        <p className="text-dense break-words text-muted">
          {serverName}
          {serialNumber ? ` · number ${serialNumber}` : ""}
          {serialPort ? ` · ${nameOf(serialPort)}` : " · no serial line of its own"}
        </p>
      </div>
      {adoptedAs ? (
        <Adopted device={device} name={adoptedAs.key} boardModel={adoptedAs.boardModel} />
      ) : (
        <Adoption device={device} />
      )}
    </li>
  );
}

function Adopted({
  device,
  name,
  boardModel,
}: {
  device: SeenDevice;
  name: string;
  boardModel: string;
}) {
  const facts = useBoardFacts(boardModel);
  const refresh = useBoardsRefresh(sightingsQuery().queryKey);
  return (
    <GiveUp name={name} mutationFn={() => release(device)} onSuccess={refresh}>
      <span>
        {facts.name} <b>{name}</b>
      </span>
    </GiveUp>
  );
}

function Adoption({ device }: { device: SeenDevice }) {
  const { serverId, key, boardModels, serialPorts, product } = device;
  const [boardModel, setBoardModel] = useState(boardModels[0] ?? "");
  const [chosen, setChosen] = useState<string | null>(null);
  const serialPort = serialPorts.find((each) => each === chosen) ?? serialPorts[0] ?? "";
  const titleOf = useBoardTitles();
  const refresh = useBoardsRefresh(sightingsQuery().queryKey);
  const take = useMutation({
    mutationFn: () => adopt({ serverId, sighting: key, boardModel, serialPort }),
    onSuccess: refresh,
  });
  return (
    <div className="text-dense">
      <p className="flex flex-wrap items-center gap-2">
        <Choice
          label={`Board model of ${product}`}
          value={boardModel}
          choices={boardModels}
          show={(id) => titleOf(id, "physical")}
          onChange={setBoardModel}
        />
        {device.serialPort === null ? (
          <Choice
            label={`Serial line of ${product}`}
            value={serialPort}
            choices={serialPorts}
            show={nameOf}
            onChange={setChosen}
          />
        ) : null}
        <button
          type="button"
          className="btn btn-dense"
          disabled={take.isPending || serialPort === ""}
          onClick={() => take.mutate()}
        >
          Adopt<span className="sr-only"> {product}</span>
        </button>
      </p>
      {serialPort === "" ? (
        <p className="mt-1 text-muted">Its server has no serial line to reach it by.</p>
      ) : null}
      {take.isError ? (
        <div className="mt-2">
          <ErrorNote title="It was not adopted." error={take.error} />
        </div>
      ) : null}
    </div>
  );
}

/** A choice of one is told, not asked. */
function Choice({
  label,
  value,
  choices,
  show,
  onChange,
}: {
  label: string;
  value: string;
  choices: readonly string[];
  show: (choice: string) => string;
  onChange: (choice: string) => void;
}) {
  if (choices.length < 2) return value === "" ? null : <span>{show(value)}</span>;
  return (
    <select
      aria-label={label}
      className="field h-8 max-w-64 text-dense"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {show(choice)}
        </option>
      ))}
    </select>
  );
}

/** A path below `/dev/serial/by-id` by its last part, which says it all. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
