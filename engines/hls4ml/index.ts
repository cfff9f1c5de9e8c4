import { findFamily } from "@/boards";
import type { Engine, PlanHead } from "../engine";
import { outcome, timing } from "../fpga/report";
import { accepts } from "./accepts";
import { isOpen, supports } from "./boards";
import { compiler, converter, formats } from "./conversion-step";
import { layersOf } from "./layers";
import { gather, gatherTask, openTools, outlineOf } from "./open";
import { optionsSchema } from "./options";
import { plan } from "./plan";
import { presets } from "./presets";
import { vendorTool } from "./vendor";

/** hls4ml: Keras and QONNX models as C++ for high-level synthesis, whose emulation is served; adders by da4ml where tools are open. */
export const hls4mlEngine: Engine = {
  id: "hls4ml",
  title: "hls4ml",
  summary:
    "Turns a Keras or QONNX model into hls4ml's C++ project, and serves what its firmware answers, bit for bit. On boards with open tools, da4ml's adders.",
  kind: "cpu",
  kindOn: (board) => (isOpen(board) ? "fpga" : "cpu"),
  formats,
  optionsSchema,
  presets,
  tools: (_, board) => (isOpen(board) ? openTools(board) : [converter, compiler]),
  checkers: (board) => {
    const checker = findFamily(board.part)?.checker;
    return isOpen(board) && checker ? [checker] : [];
  },
  vendorTools: ({ part }) =>
    part.flow.kind === "vivado" ? { title: vendorTool, commands: [] } : null,
  accepts,
  outline: ({ graph }, card) => (graph ? outlineOf(graph, card) : null),
  optionLayers: layersOf,
  supports,
  plan,
  derive: { [gatherTask]: gather },
  timing: (head, products) =>
    isPlaced(head) ? timing(head, products) : { met: true, achievedMhz: null },
  outcome: (head, products) =>
    isPlaced(head) ? outcome(head, products) : { report: head.forecast, placement: null },
};

/** An emulation has no clocks to try. */
const isPlaced = ({ variants }: PlanHead): boolean => variants.length > 0;
