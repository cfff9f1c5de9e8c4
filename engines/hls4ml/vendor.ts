import { fail } from "@/lib/common/errors";
import { emulationPaths as paths } from "../emulation";
import type { BoardPart, BoardRequest } from "./board-plan";
import { planConversion } from "./conversion-step";

/** The tool that makes a bitstream of the project, which no set-up of ours brings. */
export const vendorTool = "Vitis HLS";

/** What boards of these families are usually clocked with. */
const usualClockHz = 100e6;

/** For a board of AMD's: the whole project is written; a simulated board serves its emulation. */
export function planForVendor({ model, options, io, board }: BoardRequest): BoardPart {
  const { flow } = board.part;
  if (flow.kind !== "vivado")
    throw fail("COMBINATION_UNSUPPORTED", `${board.name} has no part of AMD's.`);
  const target = { part: flow.device, clock_period: 1e9 / usualClockHz };
  return {
    ...planConversion(model, options, { io, target }),
    platform: "boardwalk_hls4ml",
    products: [
      { role: "emulation", path: paths.program },
      { role: "project", path: paths.project },
    ],
    forecast: {
      resources: [],
      bitstreamNeeds: vendorTool,
      notes: [
        `The project is for ${flow.device} at ${usualClockHz / 1e6} MHz. A simulated board runs its emulation, compiled C++ with the same fixed-point numbers.`,
      ],
    },
  };
}
