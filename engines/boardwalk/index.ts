import type { Engine } from "../engine";
import { accepts, supports } from "./constraints";
import { optionsSchema } from "./options";
import { plan } from "./plan";
import { report, timing } from "./report";

/** The built-in compiler: dense networks as firmware for FPGA boards. */
export const boardwalkEngine: Engine = {
  id: "boardwalk",
  title: "Boardwalk compiler",
  summary: "Compiles dense networks to FPGA firmware with 8-bit weights, proved bit by bit.",
  kind: "fpga",
  formats: ["onnx"],
  optionsSchema,
  tools: () => ["yosys", "nextpnr-ice40", "icepack"],
  accepts,
  supports,
  plan,
  timing,
  report,
};
