import { fail } from "@/lib/common/errors";
import { cellModels as cyclone5 } from "../families/cyclone5/cells";
import { cellModels as ecp5 } from "../families/ecp5/cells";
import { cellModels as gowin } from "../families/gowin/cells";
import { cellModels as ice40 } from "../families/ice40/cells";
import { cellModels as nexus } from "../families/nexus/cells";
import { cellModels as xilinx } from "../families/xilinx/cells";
import type { Flow, Part } from "../schema";

// Apart from the families themselves: pages know those, and would carry these texts for nothing.
const models: Readonly<Partial<Record<Flow["kind"], string>>> = {
  icestorm: ice40,
  trellis: ecp5,
  apicula: gowin,
  oxide: nexus,
  vivado: xilinx,
  quartus: cyclone5,
};

/**
 * Verilog of every cell that a family's synthesis may leave, so that its result can be simulated as it will be placed.
 *
 * @throws {AppError} `FLOW_UNSUPPORTED`
 */
export function cellModelsOf({ flow, name }: Part): string {
  const verilog = models[flow.kind];
  if (verilog !== undefined) return verilog;
  throw fail("FLOW_UNSUPPORTED", `There are no models of the cells of ${name}.`);
}
