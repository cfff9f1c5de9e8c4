import { designCore, type Graph, type Lowered, lower, type Precision, targetOf } from "@/compiler";
import type { PlanRequest } from "../engine";
import { expectedResources } from "../fpga/expected-resources";
import { labelled } from "../fpga/labelled";
import type { Compiled, CompileRequest } from "./compiled";
import { tableNotes } from "./table-notes";

/** As much of a request as ranges depend on. */
type Calibrated = Pick<PlanRequest, "card" | "calibration">;

/**
 * Brings a graph down to integers, once for each precision: it takes seconds, and several requests share one.
 *
 * @throws {AppError} what `lower` refuses.
 */
export function lowering(
  graph: Graph,
  { card, calibration }: Calibrated,
): (precision: Precision) => Lowered {
  const made = new Map<string, Lowered>();
  return (precision) => {
    const key = JSON.stringify(precision);
    const lowered =
      made.get(key) ??
      lower({
        graph,
        inputRange: card?.inputRange ?? null,
        rangeFrom: card?.rangeFrom ?? "card",
        calibration,
        precision,
      });
    made.set(key, lowered);
    return lowered;
  };
}

/**
 * The core of a model, with what the host does at its edges.
 *
 * @throws {AppError} `MODEL_TOO_LARGE`, `OPTION_INVALID`
 */
export function compile(lowered: Lowered, request: CompileRequest): Compiled {
  const { card, board } = request.request;
  const { architecture, lanes = null } = request.options;
  const design = designCore({
    graph: lowered.integerGraph,
    board: targetOf(board),
    others: request.others,
    architecture,
    lanes,
  });
  const { graph, verilog, ownMultipliers, taps, sections, latencyCycles, resources } = design;
  return {
    graph,
    verilog,
    ownMultipliers,
    taps,
    sections,
    vectors: lowered.vectors,
    latencyCycles,
    resources,
    io: labelled(lowered.io, graph.output.size, card),
    architecture: design.architecture,
    forecast: {
      ...(lowered.calibration ? { calibration: lowered.calibration } : {}),
      resources: expectedResources(resources, board.part),
      latencyCycles,
      ...(design.lanes === null ? {} : { lanes: design.lanes }),
      notes: [design.note, ...tableNotes(graph), ...lowered.notes],
      timeline: design.timeline,
    },
  };
}
