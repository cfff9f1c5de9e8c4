import { fail } from "@/lib/common/errors";
import { partEntries } from "../data";
import type { Part } from "../schema";
import { cyclone5 } from "./cyclone5";
import { ecp5 } from "./ecp5";
import type { Family } from "./family";
import { type FamilyCosts, usualCosts } from "./family-costs";
import { gowin } from "./gowin";
import { ice40 } from "./ice40";
import { nexus } from "./nexus";
import { xilinx } from "./xilinx";

export {
  type Family,
  flowFiles,
  type ReadBack,
  type TableOfFour,
  type VendorFlow,
} from "./family";
export type { FamilyCosts } from "./family-costs";

/** Every family that designs are made for. A new one is a folder, a line here and in `cell-models.ts`, and a member of `flowSchema`. */
export const families: readonly Family[] = [ice40, ecp5, gowin, nexus, xilinx, cyclone5];

const flowsByFamily = new Map(partEntries.map(({ family, flow }) => [family, flow.kind]));

/** The family of a part; null for a CPU. */
export function findFamily({ flow }: Part): Family | null {
  return families.find(({ kind }) => kind === flow.kind) ?? null;
}

/** What cores take of the parts of a family, by the name that `parts.json` has for it; of one without tools, as of most. */
export function familyCosts(name: string): FamilyCosts {
  const flow = flowsByFamily.get(name);
  return families.find(({ kind }) => kind === flow)?.costs ?? usualCosts;
}

/** What cores take of the parts of any family, without repetitions. */
export const listFamilyCosts = (): readonly FamilyCosts[] => [
  ...new Set([...families.map(({ costs }) => costs), usualCosts]),
];

/** @throws {AppError} `FLOW_UNSUPPORTED` */
export function getFamily(part: Part): Family {
  const family = findFamily(part);
  if (family) return family;
  throw fail("FLOW_UNSUPPORTED", `There are no tools for ${part.name}.`);
}
