"use client";

import { useTranslations } from "next-intl";
import { formatCount, Loaded, Section } from "@/components/ui";
import type { Build, Report } from "@/lib/common/contract";
import { CycleChart } from "./cycle-chart";
import { MachinePicture } from "./machine-picture";
import { PlacementPicture } from "./placement-picture";
import { SectionTable } from "./section-table";
import { SlackHistogram } from "./slack-histogram";
import { useSectionsOnChip } from "./use-sections-on-chip";

/** What the tools measured of a firmware, as pictures: where it lies, how fast it is, what happens when. */
export function BuildReport({ build }: { build: Build }) {
  const t = useTranslations("builds.report");
  const { report, artifactDigest } = build;
  if (!report) return null;
  const { sections = [], clocks = [], timeline, machine, resources, clockHz } = report;
  return (
    <>
      {machine ? (
        <Section id="machine" title={t("machine")}>
          <MachinePicture machine={machine} />
        </Section>
      ) : null}
      {sections.length > 0 && artifactDigest ? (
        <Section id="placement" title={t("placement")}>
          <OnTheChip digest={artifactDigest} sections={sections} resources={resources} />
        </Section>
      ) : null}
      <div className="grid gap-x-12 desk:grid-cols-2">
        {clocks.length > 0 ? (
          <Section id="timing" title={t("timing")}>
            {clocks.map((timing) => (
              <SlackHistogram key={timing.name} timing={timing} />
            ))}
          </Section>
        ) : null}
        {timeline ? (
          <Section
            id="cycles"
            title={t("cycles")}
            aside={
              report.latencyCycles === undefined ? null : (
                <span className="text-dense text-muted">
                  {t("toFirst", { cycles: formatCount(report.latencyCycles) })}
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
  const t = useTranslations("builds.report");
  const { placement, hues, nameOf, chosen, setChosen } = useSectionsOnChip(digest, sections);
  return (
    <div className="grid gap-8 desk:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <Loaded
        query={placement}
        loading={<div role="status" aria-label={t("loading")} className="skeleton h-80" />}
        failure={t("undrawn")}
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
