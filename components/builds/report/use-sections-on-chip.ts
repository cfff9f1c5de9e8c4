import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { SectionUse } from "@/lib/common/contract";
import { placementQuery } from "../api";
import { sectionHues } from "./section-hues";
import { shortNames } from "./short-names";

/** Where a design lies on its chip: its placement, its sections and those that were placed besides, their hues and names, and the one that stands out. */
export function useSectionsOnChip(digest: string, sections: readonly SectionUse[]) {
  const placement = useQuery(placementQuery(digest));
  const [chosen, setChosen] = useState<string | null>(null);
  const drawn = placement.data?.sections ?? [];
  const all = [...sections, ...drawn.filter(({ id }) => !sections.some((each) => each.id === id))];
  const short = shortNames(all.filter(({ name }) => name.includes("/")).map(({ name }) => name));
  const nameOf = (id: string) => {
    const name = all.find((section) => section.id === id)?.name ?? id;
    return short.get(name) ?? name;
  };
  return { placement, all, hues: sectionHues(all), nameOf, chosen, setChosen };
}
