import { findFamily } from "@/boards";
import { findHgqLayer, type Graph, lower, precisions } from "@/compiler";
import { corePortOf } from "@/lib/common/core-io";
import { fail } from "@/lib/common/errors";
import type { Plan, PlanRequest } from "../../engine";
import type { CoreDesign } from "../../fpga/core-design";
import { expectationOf } from "../../fpga/expectation-of";
import { expectedResources } from "../../fpga/expected-resources";
import { labelled } from "../../fpga/labelled";
import { planFirmware } from "../../fpga/plan-firmware";
import type { Options } from "../options";
import { countNetwork } from "./count-network";
import { type AdderEstimate, adderClockShare, estimateAdders, roomOn } from "./estimate";
import { latencyOf, stagesOf } from "./latency";
import { makingOf } from "./making";
import { checkNetwork } from "./network";
import { designOfModel } from "./plan-model";

/**
 * Plans firmware around a network of adders by da4ml: the model as integers, the tool that makes Verilog of it, and shell,
 * top and proof as for every FPGA board.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED`, `MODEL_UNSUPPORTED`, `MODEL_TOO_LARGE`, `OPTION_INVALID`
 */
export function planOpen(request: PlanRequest, options: Options): Plan {
  const { graph } = request.model;
  if (!graph) throw new RangeError("An accepted model has a graph.");
  const made = findHgqLayer(graph)
    ? designOfModel(request, graph, options)
    : designOfGraph(request, graph, options);
  const { simulate, clockHz } = options;
  const core = {
    ...made,
    clockShare: adderClockShare,
    sections: sectionsOf(stagesOf(made.core.latencyCycles)),
  };
  return planFirmware(core, request, { simulate, clockHz, placements: 1 });
}

/** The core of a model that our own passes turn into integers. */
function designOfGraph(
  { board, card, calibration }: PlanRequest,
  floats: Graph,
  { precision, levels }: Options,
): CoreDesign {
  const lowered = lower({
    graph: floats,
    inputRange: card?.inputRange ?? null,
    rangeFrom: card?.rangeFrom ?? "card",
    calibration,
    precision: precisions[precision],
  });
  const graph = lowered.integerGraph;
  checkNetwork(graph);
  const estimate = estimateAdders(countNetwork(graph), board, levels);
  refuseFarTooLarge(estimate, board);
  const { stages } = estimate;
  const latencyCycles = latencyOf(stages);
  const { besides, ...room } = roomOn(board);
  return {
    engine: "hls4ml",
    reference: graph,
    verilog: null,
    making: makingOf(graph, {
      stages,
      room: { ...room, cellsBesides: besides, board: board.name },
    }),
    core: corePortOf(graph, latencyCycles),
    ownMultipliers: false,
    taps: [],
    sections: [],
    vectors: lowered.vectors(),
    io: labelled(lowered.io, graph.output.size, card),
    forecast: {
      ...(lowered.calibration ? { calibration: lowered.calibration } : {}),
      resources: expectedResources({ lut: estimate.lut, bramBlocks: 1, dsp: 0 }, board.part),
      latencyCycles,
      notes: [
        `Every weight is made of adders by da4ml, which shares them between rows; a row passes ${stages} stages of about ${levels} adders each.`,
        ...lowered.notes,
      ],
    },
    expected: (clockHz) =>
      expectationOf(
        { lut: estimate.lut, ff: estimate.ff, bramBlocks: 1, dsp: 0, latencyCycles },
        { family: board.part.family, architecture: "adders", clockHz },
      ),
  };
}

/** Of the cells that a part has: what is estimated to need more is not worth da4ml's time, whose own count decides below. */
const farTooLarge = 4;

function refuseFarTooLarge({ lut }: AdderEstimate, board: PlanRequest["board"]): void {
  const { mostCells } = roomOn(board);
  if (lut <= farTooLarge * mostCells) return;
  const few = (cells: number) => cells.toLocaleString("en-GB");
  throw fail(
    "MODEL_TOO_LARGE",
    `The network does not fit ${board.name}: its adders need about ${few(lut)} logic cells of ${few(mostCells)} usable.`,
    {
      hint: "Every weight has adders of its own, at every place of a convolution's window. Choose fewer bits or a larger board, or the boardwalk engine, which shares its arithmetic.",
    },
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
