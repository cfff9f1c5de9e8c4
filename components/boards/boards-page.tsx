"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import {
  Age,
  Empty,
  formatCount,
  formatMhz,
  Loaded,
  Section,
  Skeleton,
  StateMark,
  shortDigest,
} from "@/components/ui";
import type { Board, BoardModelSummary } from "@/lib/common/contract";
import { boardModelsQuery, boardsQuery } from "./api";
import { boardAppearance, slotAppearance } from "./appearance";
import { Attachments } from "./attachments";
import { BoardDrawing } from "./board-drawing";
import { BoardFigure } from "./board-figure";
import { useBoardFacts } from "./catalogue";
import { Sightings } from "./sightings";

/** Boards that are here, drawn with what they hold; below, every board model known. */
export function BoardsPage() {
  return (
    <>
      <h1 className="mb-6">Boards</h1>
      <Present />
      <Sightings />
      <Attachments />
      <Catalogue />
    </>
  );
}

function Present() {
  return (
    <Loaded
      query={useQuery(boardsQuery())}
      loading={<Skeleton lines={4} height={60} />}
      failure="The boards cannot be read."
      empty={<NoBoard />}
    >
      {({ items }) => (
        <ul className="mb-12 grid border-t border-line desk:grid-cols-2 desk:gap-x-12">
          {items.map((board) => (
            <BoardCard key={board.id} board={board} />
          ))}
        </ul>
      )}
    </Loaded>
  );
}

function NoBoard() {
  return (
    <Empty
      title="No board yet."
      action={
        <Link className="btn" href="/deploy">
          Deploy on a simulated board
        </Link>
      }
    >
      Simulated boards are made with the first deploy. A board server brings its boards when it
      enrols.
    </Empty>
  );
}

const mostSlots = 4;

function BoardCard({ board }: { board: Board }) {
  const facts = useBoardFacts(board.boardModel);
  const [all, setAll] = useState(false);
  const held = board.slots.filter(({ state }) => state !== "empty");
  const shown = all ? held : held.slice(0, mostSlots);
  return (
    <li
      id={board.id}
      className="grid grid-cols-[120px_minmax(0,1fr)] gap-5 border-b border-line py-5 target:bg-wash tablet:grid-cols-[188px_minmax(0,1fr)]"
    >
      <div className="flex items-center justify-center">
        <BoardFigure board={board} />
      </div>
      <div className="min-w-0">
        <h2 className="text-body">
          {board.name}{" "}
          {board.kind === "simulated" ? <span className="label">simulated</span> : null}
        </h2>
        <p className="text-dense">
          <StateMark appearance={boardAppearance[board.state]} />
          <span className="text-muted">
            {" "}
            · {facts.name} · {board.serverName}
            {board.heartbeatAt ? (
              <>
                , heard <Age time={board.heartbeatAt} />
              </>
            ) : null}
          </span>
        </p>
        <ul className="mt-2 text-dense">
          {shown.map((slot) => (
            <li key={slot.id} className="flex flex-wrap items-baseline gap-x-2 py-0.5">
              {slot.endpointName ? (
                <Link href={`/endpoints/${slot.endpointName}`} className="max-w-full truncate">
                  {slot.endpointName}
                </Link>
              ) : (
                <span className="text-muted">place {slot.index + 1}</span>
              )}
              <StateMark appearance={slotAppearance[slot.state]} />
              {slot.artifactDigest ? (
                <code className="text-muted" title={slot.artifactDigest}>
                  {shortDigest(slot.artifactDigest)}
                </code>
              ) : null}
              {slot.problem ? <span className="w-full text-bad">{slot.problem}</span> : null}
            </li>
          ))}
        </ul>
        {held.length > mostSlots ? (
          <button
            type="button"
            className="min-h-6 text-dense text-accent hover:underline"
            aria-expanded={all}
            onClick={() => setAll(!all)}
          >
            {all ? "Fewer" : `${held.length - mostSlots} more`}
          </button>
        ) : null}
        {board.slots.length > 1 ? (
          <p className="text-dense text-muted">
            {board.slots.length - held.length} of {board.slots.length} places free
          </p>
        ) : null}
      </div>
    </li>
  );
}

function Catalogue() {
  return (
    <Loaded
      query={useQuery(boardModelsQuery())}
      loading={<Skeleton lines={6} />}
      failure="The catalogue cannot be read."
    >
      {({ items }) => <FilteredCatalogue models={items} />}
    </Loaded>
  );
}

function FilteredCatalogue({ models }: { models: readonly BoardModelSummary[] }) {
  const [text, setText] = useState("");
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = models.filter((model) =>
    words.every((word) =>
      `${model.name} ${model.vendor} ${model.family} ${model.part}`.toLowerCase().includes(word),
    ),
  );
  return (
    <Section
      title="Catalogue"
      aside={
        <span className="flex flex-wrap items-baseline gap-4 text-dense">
          <Link href="/toolchains">Toolchains</Link>
          <input
            className="field h-8 w-56 text-dense"
            placeholder="Name, vendor or family"
            aria-label="Filter the catalogue"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </span>
      }
    >
      <p className="mb-2 max-w-[68ch] text-muted">
        Every board model that Boardwalk knows. Those with a flow can be built for here; the others
        wait for one.
      </p>
      {found.length === 0 ? (
        <Empty
          title={`No board model matches “${text}”.`}
          action={
            <button type="button" className="btn" onClick={() => setText("")}>
              Clear the filter
            </button>
          }
        />
      ) : (
        <ul className="grid gap-x-8 tablet:grid-cols-2 desk:grid-cols-3">
          {found.map((model) => (
            <CatalogueEntry key={model.id} model={model} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function CatalogueEntry({ model }: { model: BoardModelSummary }) {
  const facts = useBoardFacts(model.id);
  const { resources, clockHz, bitstreamNeeds, verifiedOnHardware } = model;
  const numbers = [
    resources["lut"] ? `${formatCount(resources["lut"])} cells` : null,
    resources["bramBlocks"] ? `${formatCount(resources["bramBlocks"])} block RAM` : null,
    resources["dsp"] ? `${formatCount(resources["dsp"])} multipliers` : null,
    clockHz ? formatMhz(clockHz) : null,
  ].filter((number) => number !== null);
  return (
    <li
      id={model.id}
      className="grid grid-cols-[88px_minmax(0,1fr)] gap-4 border-b border-line py-4 target:bg-wash"
    >
      <div className="flex h-20 items-center justify-center">
        <BoardDrawing drawing={facts.drawing} title={model.name} height={72} />
      </div>
      <div className="min-w-0 text-dense">
        <h3 className="truncate text-body">{model.name}</h3>
        <p className="truncate text-muted">
          {model.vendor} · <code>{model.part}</code>
        </p>
        <p className="text-muted">{numbers.join(" · ")}</p>
        <Link href={`/deploy?board=${model.id}`}>Deploy on it</Link>
        {bitstreamNeeds === null ? null : (
          <p className="text-muted">simulated now; bitstream needs {bitstreamNeeds}</p>
        )}
        {verifiedOnHardware ? null : <p className="text-muted">not verified on hardware</p>}
      </div>
    </li>
  );
}
