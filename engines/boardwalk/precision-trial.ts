import type { BoardModel } from "@/boards";
import {
  type DesignEstimate,
  estimateDesign,
  estimateMapDesign,
  type Graph,
  hasMaps,
  hasQuantizers,
  hasTrees,
  type IntegerGraph,
  lowerMaps,
  type Precision,
  refuseUnrolled,
} from "@/compiler";
import type { ArtifactIo, ModelCard } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { Rows } from "@/lib/common/rows";
import { targetOf } from "./compiled";
import { denseLowering } from "./dense";
import { fittingRows } from "./fitting-rows";
import { ioOf } from "./io";
import { mapsIoOf } from "./maps";
import { parseOptions } from "./options";

export interface PrecisionSubject {
  readonly graph: Graph;
  readonly card: ModelCard | null;
  /** Null where the card's range is to calibrate with. */
  readonly calibration: Rows | null;
  readonly board: BoardModel;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A model at some precision: its integers, what the host does at their edges, and what it would take on the board. */
export interface PrecisionTrial {
  readonly integerGraph: IntegerGraph;
  readonly io: ArtifactIo;
  readonly estimate: DesignEstimate;
}

/**
 * How a model would be built at any precision, without its Verilog.
 *
 * @throws {AppError} `COMBINATION_UNSUPPORTED` for models that have no bits to choose; `OPTION_INVALID`. A trial throws
 *   what the compiler refuses.
 */
export function precisionTrials(
  subject: PrecisionSubject,
): (precision: Precision) => PrecisionTrial {
  const { graph } = subject;
  if (hasTrees(graph)) {
    throw fail("COMBINATION_UNSUPPORTED", "Trees have no bits to save: they decide exactly.", {
      hint: "Deploy the model as it is.",
    });
  }
  if (hasQuantizers(graph)) {
    throw fail("COMBINATION_UNSUPPORTED", "The model says how many bits its numbers have.", {
      hint: "Deploy the model as it is.",
    });
  }
  return hasMaps(graph) ? mapTrials(subject) : denseTrials(subject);
}

function denseTrials({ graph, card, calibration, board, options }: PrecisionSubject) {
  const { architecture, lanes = null } = parseOptions(options);
  const lower = denseLowering(graph, { card, calibration });
  return (precision: Precision): PrecisionTrial => {
    const lowered = lower(precision);
    const { integerGraph } = lowered;
    const target = { graph: integerGraph, board: targetOf(board), architecture, lanes };
    return {
      integerGraph,
      io: ioOf(lowered, integerGraph, card),
      estimate: estimateDesign(target),
    };
  };
}

function mapTrials({ graph, card, calibration, board, options }: PrecisionSubject) {
  const { architecture, lanes = null } = parseOptions(options);
  refuseUnrolled(architecture);
  const rows = calibration && fittingRows(calibration, graph.inputs[0]?.shape ?? []);
  return (precision: Precision): PrecisionTrial => {
    const inputRange = card?.inputRange ?? null;
    const lowered = lowerMaps({ graph, inputRange, calibration: rows, precision });
    const { integerGraph } = lowered;
    const estimate = estimateMapDesign(integerGraph, targetOf(board), lanes);
    return { integerGraph, io: mapsIoOf(lowered, card), estimate };
  };
}
