"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatCount, Loaded, Section } from "@/components/ui";
import type { Build, Report } from "@/lib/common/contract";
import { placementQuery } from "../api";
import { CycleChart } from "./cycle-chart";
import { MachinePicture } from "./machine-picture";
import { PlacementPicture } from "./placement-picture";
import { sectionHues } from "./section-hues";
import { SectionTable } from "./section-table";
import { shortNames } from "./short-names";
import { SlackHistogram } from "./slack-histogram";

/** What the tools measured of a firmware, as pictures: where it lies, how fast it is, what happens when. */
export function BuildReport({ build }: { build: Build }) {
  const { report, artifactDigest } = build;
  if (!report) return null;
  const { sections = [], clocks = [], timeline, machine, resources, clockHz } = report;
  return (
    <>
      {machine ? (
        <Section id="machine" title="Processors and links">
          <MachinePicture machine={machine} />
        </Section>
      ) : null}
      {sections.length > 0 && artifactDigest ? (
        <Section id="placement" title="Where it lies on the chip">
          <OnTheChip digest={artifactDigest} sections={sections} resources={resources} />
        </Section>
      ) : null}
      <div className="grid gap-x-12 desk:grid-cols-2">
        {clocks.length > 0 ? (
          <Section id="timing" title="Time to spare">
            {clocks.map((timing) => (
              <SlackHistogram key={timing.name} timing={timing} />
            ))}
          </Section>
        ) : null}
        {timeline ? (
          <Section
            id="cycles"
            title="Cycles of one row"
            aside={
              report.latencyCycles === undefined ? null : (
                <span className="text-dense text-muted">
                  {formatCount(report.latencyCycles)} to the first byte of the answer
                </span>
              )
            }
          >
            <CycleChart timeline={timeline} clockHz={clockHz} />
          </Section>
        ) : null}
      </div>
    </>
  );
}

function OnTheChip({
  digest,
  sections,
  resources,
}: {
  digest: string;
  sections: NonNullable<Report["sections"]>;
  resources: Report["resources"];
}) {
  const placement = useQuery(placementQuery(digest));
  const [chosen, setChosen] = useState<string | null>(null);
  const drawn = placement.data?.sections ?? [];
  const all = [...sections, ...drawn.filter(({ id }) => !sections.some((each) => each.id === id))];
  const hues = sectionHues(all);
  const short = shortNames(all.filter(({ name }) => name.includes("/")).map(({ name }) => name));
  const nameOf = (id: string) => {
    const name = all.find((section) => section.id === id)?.name ?? id;
    return short.get(name) ?? name;
  };
  return (
    <div className="grid gap-8 desk:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <Loaded
        query={placement}
        loading={<div role="status" aria-label="Loading the placement" className="skeleton h-80" />}
        failure="The placement cannot be drawn."
      >
        {(picture) => (
          <PlacementPicture placement={picture} hues={hues} nameOf={nameOf} chosen={chosen} />
        )}
      </Loaded>
      <SectionTable
        sections={sections}
        resources={resources}
        hues={hues}
        nameOf={nameOf}
        onChoose={setChosen}
      />
    </div>
  );
}
