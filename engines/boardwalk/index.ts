import { findFamily } from "@/boards";
import { outlineOf } from "@/compiler";
import type { Engine } from "../engine";
import { rangeFrom } from "../fpga/range-from";
import { outcome, timing } from "../fpga/report";
import { accepts, supports } from "./constraints";
import { optionsSchema } from "./options";
import { plan } from "./plan";
import { presets } from "./presets";

export { type PrecisionSubject, type PrecisionTrial, precisionTrials } from "./precision-trial";

/** The built-in compiler: dense and convolutional networks, attention and trees as firmware for FPGA boards. */
export const boardwalkEngine: Engine = {
  id: "boardwalk",
  title: "Boardwalk compiler",
  summary:
    "Compiles dense, convolutional and attention networks and tree ensembles to FPGA firmware, proved bit by bit.",
  kind: "fpga",
  formats: ["onnx", "keras", "keras-h5", "xgboost-json", "xgboost-ubj", "bondmachine-json"],
  optionsSchema,
  presets,
  // Yosys of npm makes the simulated netlist, whatever maps the design to cells.
  tools: (_, board) => [...new Set(["yosys", ...(findFamily(board.part)?.tools ?? [])])],
  checkers: (board) => {
    const checker = findFamily(board.part)?.checker;
    return checker ? [checker] : [];
  },
  vendorTools: (board) => {
    const vendor = findFamily(board.part)?.vendor;
    return vendor ? { title: vendor.tool(board), commands: vendor.commands(board) } : null;
  },
  accepts,
  outline: ({ graph }, card) => (graph ? outlineOf(graph, card?.inputRange) : null),
  rangeFrom: ({ graph }, card) => (graph ? rangeFrom(graph, card) : null),
  supports,
  plan,
  timing,
  outcome,
};
