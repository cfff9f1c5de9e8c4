"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useBoardFacts, useBoardTitles } from "@/components/boards";
import { ErrorNote, Loaded, Section } from "@/components/ui";
import type { SeenDevice } from "@/lib/common/contract";
import { adopt, release, sightingsQuery } from "./api";
import { GiveUp } from "./give-up";
import { useBoardsRefresh } from "./use-boards-refresh";

/** What board servers see on their USB, and what became of it. Nothing while there is nothing. */
export function Sightings() {
  const t = useTranslations("boards.usb");
  return (
    <Loaded
      query={useQuery(sightingsQuery())}
      loading={null}
      failure={t("unreadable")}
      around={(note) => <div className="mb-12">{note}</div>}
      empty={null}
    >
      {({ items }) => <OnUsb seen={items} />}
    </Loaded>
  );
}

function OnUsb({ seen }: { seen: readonly SeenDevice[] }) {
  const t = useTranslations("boards.usb");
  return (
    <Section id="usb" title={t("title")}>
      <p className="mb-2 max-w-[68ch] text-muted">{t("text")}</p>
      <ul className="border-t border-line">
        {seen.map((device) => (
          <Device key={`${device.serverId} ${device.key}`} device={device} />
        ))}
      </ul>
    </Section>
  );
}

function Device({ device }: { device: SeenDevice }) {
  const t = useTranslations("boards.usb");
  const { product, serialNumber, serialPort, serverName, adoptedAs } = device;
  return (
    <li className="grid gap-x-8 gap-y-3 border-b border-line py-4 tablet:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <h3 className="text-body">{product}</h3>
        <p className="text-dense break-words text-muted">
          {t("facts", {
            server: serverName,
            number: serialNumber || "none",
            line: serialPort ? nameOf(serialPort) : "none",
          })}
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
  const t = useTranslations("boards.usb");
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
          label={t("modelOf", { product })}
          value={boardModel}
          choices={boardModels}
          show={(id) => titleOf(id, "physical")}
          onChange={setBoardModel}
        />
        {device.serialPort === null ? (
          <Choice
            label={t("lineOf", { product })}
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
          {t.rich("adopt", {
            product,
            what: (words) => <span className="sr-only">{words}</span>,
          })}
        </button>
      </p>
      {serialPort === "" ? <p className="mt-1 text-muted">{t("noLine")}</p> : null}
      {take.isError ? (
        <div className="mt-2">
          <ErrorNote title={t("failed")} error={take.error} />
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
