import { fail } from "@/lib/common/errors";
import type { Part } from "../schema";
import { cyclone5 } from "./cyclone5";
import { ecp5 } from "./ecp5";
import type { Family } from "./family";
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

/** Every family that designs are made for. A new one is a folder, a line here and in `cell-models.ts`, and a member of `flowSchema`. */
export const families: readonly Family[] = [ice40, ecp5, gowin, nexus, xilinx, cyclone5];

/** The family of a part; null for a CPU. */
export function findFamily({ flow }: Part): Family | null {
  return families.find(({ kind }) => kind === flow.kind) ?? null;
}

/** @throws {AppError} `FLOW_UNSUPPORTED` */
export function getFamily(part: Part): Family {
  const family = findFamily(part);
  if (family) return family;
  throw fail("FLOW_UNSUPPORTED", `There are no tools for ${part.name}.`);
}
