import type { BoardModel } from "@/boards";
import type { IntegerGraph } from "@/compiler";
import { buildSeconds, type Forecast, forecast } from "@/compiler/forecast";
import type { Expectation } from "@/lib/common/contract";
import type { Compiled } from "./compiled";
import { type Options, precisionOf } from "./options";

/**
 * What is expected of a build, for its report to be held against: what the form showed where it shows anything, else the
 * planner's own estimates.
 */
export function expectationOf(
  { graph, forecast: planned, latencyCycles }: Compiled,
  { board, options, clockHz }: { board: BoardModel; options: Options; clockHz: number },
): Expectation {
  const sizes = sizesOf(graph);
  const family = board.part.family;
  if (sizes !== null) {
    const architecture = planned.lanes === undefined ? "unrolled" : "array";
    const { lanes = null } = options;
    const { weightBits } = precisionOf(options);
    const shown = forecast({ sizes, board, architecture, lanes, weightBits });
    if (shown.fits) return { family, architecture, clockHz, figures: figuresOf(shown) };
  }
  const usedOf = (id: string) => planned.resources.find((each) => each.id === id)?.used ?? 0;
  const lut = usedOf("lut");
  return {
    family,
    architecture: sizes === null ? (graph.nodes[0]?.op ?? "none") : "dense",
    clockHz,
    figures: {
      lut,
      bram: usedOf("bram"),
      dsp: usedOf("dsp"),
      cycles: latencyCycles,
      seconds: buildSeconds(lut),
    },
  };
}

const figuresOf = (shown: Extract<Forecast, { fits: true }>): Expectation["figures"] => ({
  lut: shown.lut.expected,
  bram: shown.bramBlocks.expected,
  dsp: shown.dsp.expected,
  cycles: shown.cycles.expected,
  seconds: shown.buildSeconds.expected,
});

/** Inputs, then the outputs of every layer; null for designs that are not of dense layers alone. */
function sizesOf({ input, nodes }: IntegerGraph): readonly number[] | null {
  const layers = nodes.flatMap((node) => (node.op === "dense" ? [node.outputSize] : []));
  const isDense = nodes.every(({ op }) => op === "dense" || op === "requantize");
  return isDense ? [input.size, ...layers] : null;
}
