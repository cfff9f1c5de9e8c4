import { findFamily } from "@/boards";
import { lower, precisions } from "@/compiler";
import type { Report } from "@/lib/common/contract";
import { corePortOf } from "@/lib/common/core-io";
import type { Plan, PlanRequest } from "../../engine";
import { expectedResources } from "../../fpga/expected-resources";
import { labelled } from "../../fpga/labelled";
import { planFirmware } from "../../fpga/plan-firmware";
import type { Options } from "../options";
import { estimateAdders, roomOn } from "./estimate";
import { makingOf } from "./making";
import { checkNetwork } from "./network";
import { latencyOf } from "./wrapper";

/** da4ml's networks reach about half the clock that is believed of the compiler's own cores. */
const clockShare = 0.6;

/**
 * Plans firmware around a network of adders by da4ml: the model as integers, the tool that makes Verilog of it, and shell,
 * top and proof as for every FPGA board.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED`, `MODEL_UNSUPPORTED`, `MODEL_TOO_LARGE`, `OPTION_INVALID`
 */
export function planOpen(request: PlanRequest, options: Options): Plan {
  const { model, board, card, calibration } = request;
  if (!model.graph) throw new RangeError("An accepted model has a graph.");
  const lowered = lower({
    graph: model.graph,
    inputRange: card?.inputRange ?? null,
    rangeFrom: card?.rangeFrom ?? "card",
    calibration,
    precision: precisions[options.precision],
  });
  const graph = lowered.integerGraph;
  checkNetwork(graph);
  const estimate = estimateAdders(graph, board, options.levels);
  const stages = Math.max(1, Math.ceil(estimate.levels / options.levels));
  const latencyCycles = latencyOf(stages);
  const { besides, ...room } = roomOn(board);
  const forecast: Report = {
    ...(lowered.calibration ? { calibration: lowered.calibration } : {}),
    resources: expectedResources({ lut: estimate.lut, bramBlocks: 1, dsp: 0 }, board.part),
    latencyCycles,
    notes: [
      `Every weight is made of adders by da4ml, which shares them between rows; a row passes ${stages} stages of about ${options.levels} adders each.`,
      ...lowered.notes,
    ],
  };
  return planFirmware(
    {
      engine: "hls4ml",
      reference: graph,
      verilog: null,
      making: makingOf(graph, {
        stages,
        room: { ...room, cellsBesides: besides, board: board.name },
      }),
      core: corePortOf(graph, latencyCycles),
      ownMultipliers: false,
      clockShare,
      taps: [],
      sections: sectionsOf(stages),
      vectors: lowered.vectors(),
      io: labelled(lowered.io, graph.output.size, card),
      forecast,
    },
    request,
    { simulate: options.simulate, clockHz: options.clockHz, placements: 1 },
  );
}

/** Stages that are told apart in reports; more are shown as one. */
const mostSections = 24;

function sectionsOf(stages: number) {
  if (stages > mostSections)
    return [{ id: "adders", name: "Adders of da4ml", cells: "^network\\." }];
  return Array.from({ length: stages }, (_, at) => ({
    id: `stage-${at + 1}`,
    name: `Stage ${at + 1}`,
    cells: `^network\\.stage${at}(_|\\.)`,
  })).concat({ id: "answer", name: "Last registers of da4ml", cells: "^network\\." });
}

/** Commands that make firmware for a board: da4ml, and the family's own. */
export const openTools = (board: PlanRequest["board"]): readonly string[] => [
  ...new Set(["hls4ml", "yosys", ...(findFamily(board.part)?.tools ?? [])]),
];
