import { emulationPaths as paths } from "../emulation";
import type { BoardPart, BoardRequest } from "./board-plan";
import { planConversion } from "./conversion-step";

/** For a CPU board: it serves the emulation. */
export function planForCpu({ model, options, io }: BoardRequest): BoardPart {
  return {
    ...planConversion(model, options, { io, target: null }),
    platform: "boardwalk_hls4ml",
    products: [
      { role: "emulation", path: paths.program },
      { role: "project", path: paths.project },
    ],
    forecast: {
      resources: [],
      notes: [
        "hls4ml's C++ is compiled for the processor, with its fixed-point numbers: it answers what the firmware would.",
      ],
    },
  };
}
