import { getBoardModel } from "@/boards";
import { getEngine, isIntegerGraph, type ParsedModel, type Plan, readModel } from "@/engines";
import { isAppError } from "@/lib/common/errors";
import { type Rows, readRows } from "@/lib/common/rows";
import { rowSize } from "@/lib/common/tensor";
import { digestOf } from "@/lib/server/digest";
import { splitRows, takesRows } from "@/workers/rows";
import type { MatrixModel } from "./models";

export interface PlannedModel {
  readonly plan: Plan;
  readonly model: ParsedModel;
  readonly calibration: Rows | null;
  readonly heldBack: Rows | null;
  /** From the model's bytes to the Verilog. */
  readonly compileS: number;
}

/**
 * Plans a model for a board with default options, its rows settled as a build does: the card's range scales the inputs,
 * else every second row.
 *
 * @param toolVersions By command; they are part of a plan.
 * @throws {AppError} as the engine does: `MODEL_TOO_LARGE`, …
 */
export function planModel(
  { bytes, card, rows: file }: MatrixModel,
  boardId: string,
  toolVersions: Readonly<Record<string, string>>,
): PlannedModel {
  const started = performance.now();
  const model = readModel(bytes, digestOf(bytes));
  const inputs = model.graph?.inputs ?? [];
  const [input] = inputs;
  const rows = file && input ? readableRows(file, rowSize(input)) : null;
  const { calibration, heldBack } = takesRows(inputs, rows)
    ? splitRows(rows, card)
    : { calibration: null, heldBack: null };
  const plan = getEngine("boardwalk").plan({
    model,
    card,
    calibration,
    board: getBoardModel(boardId),
    boardKind: "simulated",
    options: {},
    toolVersions,
    sourceDigest: digestOf(new Uint8Array()),
    sha256: digestOf,
  });
  return { plan, model, calibration, heldBack, compileS: (performance.now() - started) / 1000 };
}

/** Null where cells of the file are empty: a build goes on without such rows, and so do we. */
function readableRows(file: Uint8Array, width: number): Rows | null {
  try {
    return readRows(file, width, "test.csv").rows;
  } catch (error) {
    if (isAppError(error) && error.reason === "ROWS_INVALID") return null;
    throw error;
  }
}

/** How a design is built, in a word or two. */
export function architectureOf({ forecast }: Plan): string {
  const { lanes, expected } = forecast;
  if (lanes !== undefined) return `array of ${lanes}`;
  return expected?.architecture === "trees" ? "trees" : "unrolled";
}

/**
 * Cycles between two rows that the arithmetic accepts: an unrolled network takes one in every cycle, trees read a row
 * byte by byte, an array works off one row after the other.
 */
export function intervalOf({ forecast, core, reference }: Plan): number {
  if (forecast.lanes !== undefined) return core?.latencyCycles ?? 0;
  const [first] = integerNodesOf(reference);
  return first?.op === "trees" ? (core?.inputBytes ?? 1) : 1;
}

/** Weights of layers; of trees, their leaves. */
export function countWeights({ reference }: Plan): number {
  const nodes = integerNodesOf(reference);
  return nodes.reduce((sum, node) => {
    if ("weights" in node) return sum + node.weights.length;
    if (node.op !== "trees") return sum;
    return sum + node.trees.flat().filter((each) => "values" in each).length;
  }, 0);
}

const integerNodesOf = (reference: Plan["reference"]) =>
  reference && isIntegerGraph(reference) ? reference.nodes : [];
