import { listFamilyCosts } from "@/boards";
import { type Outline, outlineVersion } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { architectures } from "./architectures";
import { lower, ownBitsOf } from "./flows";
import type { Graph } from "./graph/graph";
import type { IntegerGraph } from "./integer/integer-graph";
import { type Precision, precisions } from "./passes/precision";
import type { InputRange } from "./passes/standardise";

/** Multiplications that made-up rows may take: a net of 30,000 weights is looked at as a build does. */
const mostProducts = 8e6;

/**
 * As much of a model as forecasts need: what each architecture that has circuits for it makes of its integers, which are
 * those of a build without rows.
 *
 * @param inputRange What is known of the inputs. One that is not of this model's inputs, which a build refuses, counts for
 *   nothing.
 * @throws {AppError} what the compiler refuses of any model, before a board is chosen.
 */
export function outlineOf(given: Graph, inputRange: InputRange | null = null): Outline {
  const lowered = (range: InputRange | null, precision: Precision): IntegerGraph =>
    lower({ graph: given, inputRange: range, calibration: null, precision, mostProducts })
      .integerGraph;
  const usual = precisions["exact-ish"];
  const [graph, range] = orWithout(inputRange, (each) => lowered(each, usual));
  const hasOwnBits = ownBitsOf(given) !== null;
  const subject = {
    graph,
    graphAt: hasOwnBits ? null : (precision: Precision) => lowered(range, precision),
    costs: listFamilyCosts(),
  };
  const able = architectures.filter((each) => each.takes(graph));
  const { input, output } = graph;
  return {
    version: outlineVersion,
    inputBytes: input.size,
    outputBytes: (output.size * output.width) / 8,
    hasOwnBits,
    cores: Object.fromEntries(able.map((each) => [each.id, { ...each.outline(subject) }])),
  };
}

/** What is made with a range, or without it where it is not of this model. */
function orWithout<Made>(
  range: InputRange | null,
  make: (range: InputRange | null) => Made,
): readonly [Made, InputRange | null] {
  try {
    return [make(range), range];
  } catch (error) {
    if (range === null || !isAppError(error) || error.reason !== "CARD_INVALID") throw error;
    return [make(null), null];
  }
}
