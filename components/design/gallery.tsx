"use client";

import { useState } from "react";
import { BoardDrawing, useBoardAppearance, useBoardFacts } from "@/components/boards";
import { useBuildAppearance } from "@/components/builds";
import { useEndpointAppearance } from "@/components/endpoints";
import {
  Age,
  Amount,
  type Appearance,
  ChoiceRow,
  CopyButton,
  Empty,
  ErrorNote,
  PathLine,
  ResourceBar,
  Section,
  Skeleton,
  StateButton,
  StateMark,
  TabLinks,
  TerminalCommand,
} from "@/components/ui";
import { fail } from "@/lib/common/errors";

const colours = [
  "bg",
  "surface",
  "sunken",
  "line",
  "line-strong",
  "text",
  "muted",
  "accent",
  "copper",
  "ok",
  "warn",
  "bad",
  "info",
] as const;

const sizes = [
  ["text-label", "Label 0.75"],
  ["text-dense", "Dense 0.8125"],
  ["text-body", "Body 0.9375"],
  ["text-section", "Section 1.125"],
  ["text-title", "Title 1.5"],
  ["text-big", "Big 2.25"],
] as const;

/** Every token and component in each of its states, to be looked at in both themes. */
export function Gallery() {
  return (
    <>
      <h1 className="mb-8">Design</h1>
      <Colours />
      <TypeSizes />
      <Controls />
      <AllStates />
      <Paths />
      <Resources />
      <Boards />
      <DataStates />
      <TimeAndCommands />
    </>
  );
}

function Colours() {
  return (
    <Section title="Colour, by role">
      <ul className="flex flex-wrap gap-4">
        {colours.map((name) => (
          <li key={name} className="w-24 text-dense">
            <div
              className="mb-1 h-12 rounded-control border border-line"
              style={{ background: `var(--${name})` }}
            />
            {name}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function TypeSizes() {
  return (
    <Section title="Type">
      {sizes.map(([className, label]) => (
        <p key={label} className={className}>
          {label} <b>strong</b> <code>mono</code> <Amount value="16.3" unit="µs" />
        </p>
      ))}
    </Section>
  );
}

function Controls() {
  const [choice, setChoice] = useState<"linear" | "log">("linear");
  return (
    <Section title="Buttons and fields">
      <div className="flex flex-wrap gap-3">
        <button type="button" className="btn btn-primary">
          Deploy <kbd>Ctrl ↵</kbd>
        </button>
        <button type="button" className="btn">
          Plain
        </button>
        <button type="button" className="btn btn-danger">
          Delete
        </button>
        <button type="button" className="btn btn-quiet">
          Quiet
        </button>
        <button type="button" className="btn btn-dense">
          Dense
        </button>
        <button type="button" className="btn btn-primary" disabled>
          Disabled
        </button>
        <CopyButton text="copied from the gallery" />
      </div>
      <div className="mt-4 grid max-w-[420px] gap-3">
        <input className="field" aria-label="A field" placeholder="Placeholder" />
        <input
          className="field"
          aria-label="A wrong field"
          aria-invalid="true"
          defaultValue="Wrong"
        />
        <select className="field" aria-label="A choice">
          <option>one</option>
          <option>two</option>
        </select>
        <ChoiceRow
          label="Scale"
          choices={[
            { id: "linear", label: "linear" },
            { id: "log", label: "logarithmic" },
          ]}
          value={choice}
          onChoose={setChoice}
        />
      </div>
    </Section>
  );
}

function AllStates() {
  return (
    <Section title="States">
      <States title="build" appearances={useBuildAppearance()} />
      <States title="endpoint" appearances={useEndpointAppearance()} />
      <States title="board" appearances={useBoardAppearance()} />
    </Section>
  );
}

function Paths() {
  return (
    <Section title="The path">
      <PathLine
        here={1}
        done={2}
        stations={[
          { label: "digits-mlp", href: "#" },
          { label: "sha256:4be1…9c02", mono: true, href: "#" },
          { label: "iCEBreaker (simulated)", href: "#" },
          { label: "a-name-as-long-as-names-may-become-when-people-are-free" },
        ]}
      />
      <TabLinks
        label="Tabs"
        current="one"
        tabs={[
          { id: "one", label: "Present", href: "#" },
          { id: "two", label: "Other", href: "#" },
        ]}
      />
    </Section>
  );
}

function Resources() {
  return (
    <Section title="Resources">
      <div className="grid max-w-[720px] gap-x-10 tablet:grid-cols-2">
        <ResourceBar name="Some" used={980} available={5280} />
        <ResourceBar name="Nearly full" used={25} available={30} />
        <ResourceBar name="All" used={8} available={8} />
        <ResourceBar name="Too many" used={6120} available={5280} />
        <ResourceBar name="A guess" used={1230} available={5280} guess margin={0.15} />
        <ResourceBar name="None there" used={0} available={0} />
      </div>
    </Section>
  );
}

function Boards() {
  return (
    <Section title="Boards">
      <div className="flex flex-wrap items-end gap-8">
        {["icebreaker", "ulx3s-25f", "tang-nano-9k", "cpu"].map((id) => (
          <Drawn key={id} id={id} />
        ))}
      </div>
    </Section>
  );
}

function DataStates() {
  return (
    <Section title="Six states of a data area">
      <div className="grid gap-10 desk:grid-cols-2">
        <Empty
          title="No endpoint yet."
          action={
            <button type="button" className="btn btn-primary">
              Deploy a model
            </button>
          }
          command="curl -sS localhost:3000/api/v1/endpoints -d @deploy.json"
        >
          An endpoint is an address that answers inference requests.
        </Empty>
        <Empty
          title="No build is cancelled."
          action={
            <button type="button" className="btn">
              Show all builds
            </button>
          }
        />
        <Skeleton lines={4} />
        <ErrorNote
          title="The boards cannot be read."
          error={fail("STORE_UNAVAILABLE", "The portal cannot be reached.", {
            hint: "Is it running? `npm start` starts it.",
          })}
          onRetry={() => undefined}
        />
      </div>
    </Section>
  );
}

function TimeAndCommands() {
  return (
    <Section title="Time and commands">
      <p>
        <Age time={new Date(Date.now() - 90_000).toISOString()} />
      </p>
      <TerminalCommand
        title="Do this from the terminal"
        command="curl -sS localhost:3000/api/v1/boards"
      />
    </Section>
  );
}

function States({
  title,
  appearances,
}: {
  title: string;
  appearances: Readonly<Record<string, Appearance>>;
}) {
  return (
    <div className="mb-3 flex flex-wrap items-baseline gap-x-6 gap-y-1">
      <span className="label w-16">{title}</span>
      {Object.entries(appearances).map(([state, appearance]) => (
        <StateButton key={state} appearance={appearance} />
      ))}
      <StateMark appearance={{ tone: "info", label: "plain mark", why: "" }} />
    </div>
  );
}

function Drawn({ id }: { id: string }) {
  const facts = useBoardFacts(id);
  return (
    <figure>
      <div className="flex items-end gap-4">
        <BoardDrawing drawing={facts.drawing} title={facts.name} led="ok" fill={0.3} />
        <BoardDrawing drawing={facts.drawing} title={facts.name} simulated led="busy" fill={0.9} />
      </div>
      <figcaption className="text-dense">{facts.name}</figcaption>
    </figure>
  );
}
