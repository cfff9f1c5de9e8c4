import { findFamily } from "@/boards";
import type { Engine } from "../engine";
import { packTask, packWhatIsRead } from "../fpga/pack-project";
import { rangeFrom } from "../fpga/range-from";
import { outcome, timing } from "../fpga/report";
import { accepts, supports } from "./constraints";
import { formOf } from "./form-of";
import { gather } from "./gather";
import { assemblyTool, gatherTask, machineTools } from "./making";
import { optionsSchema } from "./options";
import { outlineOf } from "./outline";
import { plan } from "./plan";
import { presets } from "./presets";

/** BondMachine's own tools: a dense network as a machine of small processors, one for each neuron. */
export const bondmachineEngine: Engine = {
  id: "bondmachine",
  title: "BondMachine",
  summary:
    "Makes a dense network a machine of small processors, one for each neuron, by BondMachine's own tools; proved bit by bit.",
  kind: "fpga",
  formats: ["onnx", "keras", "keras-h5", "bondmachine-json"],
  optionsSchema,
  presets,
  tools: (_, board, options = {}) => [
    ...new Set([
      ...(formOf(options) === "direct" ? [] : [assemblyTool]),
      ...machineTools,
      "yosys",
      ...(findFamily(board.part)?.tools ?? []),
    ]),
  ],
  checkers: (board) => {
    const checker = findFamily(board.part)?.checker;
    return checker ? [checker] : [];
  },
  vendorTools: (board) => {
    const vendor = findFamily(board.part)?.vendor;
    return vendor ? { title: vendor.tool(board), commands: vendor.commands(board) } : null;
  },
  accepts,
  outline: ({ graph }, card) => (graph ? outlineOf(graph, card) : null),
  rangeFrom: ({ graph }, card) => (graph ? rangeFrom(graph, card) : null),
  supports,
  plan,
  derive: { [gatherTask]: gather, [packTask]: packWhatIsRead },
  timing,
  outcome,
};
