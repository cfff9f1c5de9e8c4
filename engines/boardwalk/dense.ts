import type { BoardModel } from "@/boards";
import {
  type Design,
  designCore,
  type Graph,
  hasQuantizers,
  type Lowered,
  legalise,
  lower,
  type Precision,
  timelineOf,
} from "@/compiler";
import type { Report } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { PlanRequest } from "../engine";
import { type Compiled, type CompileRequest, targetOf } from "./compiled";
import { fittingRows } from "./fitting-rows";
import { expectedResources, precisionNotes } from "./forecast-parts";
import { ioOf } from "./io";
import { type Options, precisionOf } from "./options";
import { tableNotes } from "./table-notes";

/** As much of a request as ranges depend on. */
type Calibrated = Pick<PlanRequest, "card" | "calibration">;

/**
 * Brings a graph of dense layers down to integers, once for each precision: it takes seconds, and several requests share
 * one.
 *
 * @throws {AppError} `OPTION_INVALID`, `CARD_INVALID`, and what `lower` refuses.
 */
export function denseLowering(
  graph: Graph,
  request: Calibrated,
): (precision: Precision) => Lowered {
  const made = new Map<string, Lowered>();
  return (precision) => {
    const key = JSON.stringify(precision);
    const lowered = made.get(key) ?? lowerDense(graph, request, precision);
    made.set(key, lowered);
    return lowered;
  };
}

function lowerDense(
  graph: Graph,
  { card, calibration }: Calibrated,
  precision: Precision,
): Lowered {
  // A quantised model says itself how many bits its weights have.
  if (!hasQuantizers(graph)) checkWeightBits(legalise(graph).layers.length, precision);
  return lower({
    graph,
    inputRange: card?.inputRange ?? null,
    calibration: calibration && fittingRows(calibration, graph.inputs[0]?.shape ?? []),
    precision,
  });
}

function checkWeightBits(layers: number, { weightBits: { length } }: Precision): void {
  if (length === 1 || length === layers) return;
  throw fail("OPTION_INVALID", `${length} weight bits are given for ${layers} layers.`, {
    field: "options.weightBits",
    hint: "Give one number for all layers, or one for each layer.",
  });
}

/**
 * The core of a network of dense layers, with what the host does at its edges.
 *
 * @throws {AppError} `MODEL_TOO_LARGE`, `OPTION_INVALID`
 */
export function compileDense(
  lowered: Lowered,
  { request, options, others }: CompileRequest,
): Compiled {
  const { card, board } = request;
  const { vectors } = lowered;
  const design = designCore({
    graph: lowered.integerGraph,
    board: targetOf(board),
    others,
    architecture: options.architecture,
    lanes: options.lanes ?? null,
  });
  return {
    graph: design.graph,
    verilog: design.verilog,
    ownMultipliers: design.architecture === "array" && design.estimate.multipliers.paired,
    taps: design.taps,
    ...(design.sections ? { sections: design.sections } : {}),
    vectors,
    latencyCycles: design.latencyCycles,
    io: ioOf(lowered, design.graph, card),
    forecast: {
      ...forecastOf(lowered, design, { board, options }),
      timeline: timelineOf({
        graph: design.graph,
        taps: design.taps,
        latencyCycles: design.latencyCycles,
        ...(design.architecture === "array" ? { groups: design.schedule.groups } : {}),
      }),
    },
  };
}

/** What is known before any tool ran; `outcome` replaces the estimates by what the tools measured. */
function forecastOf(
  { standardisation, inputQuantizer }: Lowered,
  design: Design,
  { board, options }: { readonly board: BoardModel; readonly options: Options },
): Report {
  const { estimate } = design;
  const { rangeSource, rowsSource, rows, synthetic } = standardisation;
  return {
    calibration: { rows: rows.length, source: rowsSource, synthetic, scaledBy: rangeSource },
    resources: expectedResources(estimate, board.part),
    latencyCycles: design.latencyCycles,
    ...(design.architecture === "array" ? { lanes: design.schedule.lanes } : {}),
    notes: [
      design.architecture === "array"
        ? `One array of multipliers works off all layers. ${design.why}`
        : `Every weight has adders of its own. ${design.why}`,
      ...tableNotes(design.graph),
      ...(inputQuantizer
        ? ["Bits and scales are the model's own: the design answers it bit for bit."]
        : precisionNotes(precisionOf(options), standardisation)),
    ],
  };
}
