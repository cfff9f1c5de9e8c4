"use client";

import { useTranslations } from "next-intl";
import { Loaded, Skeleton } from "@/components/ui";
import type { SectionUse } from "@/lib/common/contract";
import { PlacementPicture } from "./placement-picture";
import { SectionSwatch } from "./section-texture";
import { useSectionsOnChip } from "./use-sections-on-chip";

/** The fabric with the placement of the loaded design over it; a section that is pointed at in its list stands out. */
export function DesignOnChip({
  digest,
  sections,
}: {
  digest: string;
  sections: readonly SectionUse[];
}) {
  const t = useTranslations("boards.resources");
  const { placement, all, hues, nameOf, chosen, setChosen } = useSectionsOnChip(digest, sections);
  return (
    <Loaded
      query={placement}
      loading={<Skeleton lines={1} height={280} />}
      failure={t("placementUnreadable")}
    >
      {(picture) => (
        <div className="grid gap-8 desk:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <PlacementPicture placement={picture} hues={hues} nameOf={nameOf} chosen={chosen} />
          <ul aria-label={t("sections")} className="text-dense">
            {all.map(({ id }) => (
              <li key={id}>
                <button
                  type="button"
                  className="flex min-h-6 items-center gap-2 text-left hover:underline"
                  aria-pressed={chosen === id}
                  onClick={() => setChosen(chosen === id ? null : id)}
                >
                  <SectionSwatch look={hues.get(id)} />
                  {nameOf(id)}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Loaded>
  );
}
