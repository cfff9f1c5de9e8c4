import type { BoardModel } from "@/boards";
import {
  type DesignEstimate,
  estimateDesign,
  type Graph,
  type IntegerGraph,
  ownBitsOf,
  type Precision,
  targetOf,
} from "@/compiler";
import type { ArtifactIo, ModelCard } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { Rows } from "@/lib/common/rows";
import { labelled } from "../fpga/labelled";
import { lowering } from "./compile";
import { parseOptions } from "./options";

/** What a trial of bits is made on. */
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
export function precisionTrials({
  graph,
  card,
  calibration,
  board,
  options,
}: PrecisionSubject): (precision: Precision) => PrecisionTrial {
  const ownBits = ownBitsOf(graph);
  if (ownBits !== null) {
    throw fail("COMBINATION_UNSUPPORTED", ownBits, { hint: "Deploy the model as it is." });
  }
  const { architecture, lanes = null } = parseOptions(options);
  const lower = lowering(graph, { card, calibration });
  return (precision) => {
    const { integerGraph, io } = lower(precision);
    const request = { graph: integerGraph, board: targetOf(board), architecture, lanes };
    return {
      integerGraph,
      io: labelled(io, integerGraph.output.size, card),
      estimate: estimateDesign(request),
    };
  };
}
