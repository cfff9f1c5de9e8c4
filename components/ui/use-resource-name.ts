import { useTranslations } from "next-intl";
import { formatShare } from "./format";

/** What of a resource of a chip is used; reports call it by a name of their own, in English. */
export interface ResourceUse {
  readonly id: string;
  readonly name: string;
  readonly used: number;
  readonly available: number;
}

const known = ["lut", "ff", "bram", "dsp", "pll", "io"] as const;
const idOf = (id: string) => known.find((each) => each === id);

/** What a resource is called; `name` is what its report calls it, if there is one. */
export type ResourceName = (resource: { readonly id: string; readonly name?: string }) => string;

/** Says what resources of chips are called, in the reader's language; those it does not know, as their report does. */
export function useResourceName(): ResourceName {
  const t = useTranslations("ui.resources");
  return ({ id, name = id }) => {
    const key = idOf(id);
    return key === undefined ? name : t(`names.${key}`);
  };
}

/** Says which share of a resource is used: `12.3 % of logic cells`. */
export function useResourceShare(): (resource: ResourceUse) => string {
  const t = useTranslations("ui.resources");
  return (resource) => t.markup("share", { ...shareOf(resource), part: (words) => words });
}

/** The values of the text `ui.resources.share`. */
export const shareOf = ({ id, name, used, available }: ResourceUse) => ({
  share: formatShare(used / available),
  id: idOf(id) ?? "other",
  name: name.toLowerCase(),
});
