import { fail } from "@/lib/common/errors";
import { arrayRefusal } from "./array-refusal";
import { fitsAtOnce, fitUnrolled } from "./fit-unrolled";
import { nearestSizes } from "./forecast";
import type { IntegerGraph, Tap } from "./integer-graph";
import { levelTables } from "./level-tables";
import { arraySections, type SectionRule, unrolledSections } from "./report";
import {
  accumulatorWidthOf,
  arrayPart,
  chooseLanes,
  type Lacking,
  type LayerShape,
  layersOf,
  mostCells,
  type ResourceEstimate,
  type Schedule,
  shellCells,
  type Target,
} from "./schedule";
import type { UnrolledCore } from "./unrolled";
import { emitCore, tapsOf } from "./verilog";

/** `array`: one array of multipliers works off all layers. `unrolled`: every weight is adders of its own. */
export type Architecture = "array" | "unrolled";

/** An integer graph as hardware for one part. */
interface CommonDesign {
  /** What the core answers to, node by node: the graph that was asked for, in the form which the architecture has it in. */
  readonly graph: IntegerGraph;
  /** Why this architecture, for the report. */
  readonly why: string;
  /** From the cycle in which the last input byte passed to the one in which the first result byte is valid. */
  readonly latencyCycles: number;
  /** Shell and core. */
  readonly estimate: {
    readonly lut: number;
    readonly bramBlocks: number;
    readonly dsp: number;
  };
  readonly verilog: string;
  readonly taps: readonly Tap[];
  /** Which cells are what. Without it, the core is one section. */
  readonly sections?: readonly SectionRule[];
}

export interface ArrayDesign extends CommonDesign {
  readonly architecture: "array";
  readonly schedule: Schedule;
  readonly estimate: ResourceEstimate;
}

interface UnrolledDesign extends CommonDesign {
  readonly architecture: "unrolled";
}

export type Design = ArrayDesign | UnrolledDesign;

export interface DesignRequest {
  readonly graph: IntegerGraph;
  readonly board: Target;
  /** Other boards that could be built for, with what they offer. */
  readonly others: readonly Target[];
  /** `auto` unrolls what fits the part, and takes the array for all else. */
  readonly architecture: Architecture | "auto";
  /** Lanes of the array asked for; null leaves the choice to the compiler. */
  readonly lanes: number | null;
}

/**
 * Makes hardware of a graph, in the architecture asked for or in the one that suits the part.
 *
 * @throws {AppError} `MODEL_TOO_LARGE`, saying by how much and what would fit; `OPTION_INVALID` for lanes of no array.
 */
export function designCore(request: DesignRequest): Design {
  const { architecture, lanes, board } = request;
  const refusal = arrayRefusal(request.graph);
  if (refusal && (architecture === "array" || lanes !== null)) {
    throw fail("OPTION_INVALID", `The array ${refusal}.`, {
      field: architecture === "array" ? "options.architecture" : "options.lanes",
      hint: "Leave the architecture to the compiler, which unrolls such models.",
    });
  }
  if (architecture === "array") return designArray(request, "The array was asked for.");
  if (architecture === "unrolled") {
    if (lanes !== null) {
      throw fail("OPTION_INVALID", `An unrolled design has no lanes; ${lanes} are asked for.`, {
        field: "options.lanes",
        hint: "Leave the lanes out, or choose the array as architecture.",
      });
    }
    const attempt = fitUnrolled(request.graph, board);
    if (attempt.core) return designOf(attempt.core, request.graph, "Unrolling was asked for.");
    const larger = request.others.find((other) => fitsAtOnce(request.graph, other));
    throw fail(
      "MODEL_TOO_LARGE",
      `The model needs ${attempt.lack} on ${board.name} when unrolled.`,
      {
        hint: `${larger ? `${larger.name} is large enough; or leave` : "Leave"} the architecture to the compiler.`,
        details: { board: larger?.name ?? null, lacking: attempt.lacking },
      },
    );
  }
  if (lanes !== null)
    return designArray(request, "Lanes were asked for, which only the array has.");
  const attempt = fitUnrolled(request.graph, board, refusal === null ? mostCells : undefined);
  if (attempt.core) {
    return designOf(attempt.core, request.graph, `It fits unrolled: ${attempt.need}.`);
  }
  if (refusal) {
    const lack = `${attempt.lack} when unrolled, and the array ${refusal}`;
    throw tooLarge(request, { lack, lacking: attempt.lacking });
  }
  return designArray(request, `Unrolled it would need ${attempt.lack}.`);
}

/** A model that only fits unrolled, if at all. */
function tooLarge(
  { graph, board, others }: DesignRequest,
  { lack, lacking }: { readonly lack: string; readonly lacking: readonly Lacking[] },
) {
  const larger = others.find((other) => fitsAtOnce(graph, other));
  return fail("MODEL_TOO_LARGE", `The model needs ${lack}, on ${board.name}.`, {
    hint: larger
      ? `${larger.name} is large enough.`
      : "Use smaller layers, fewer bits, or ReLU between the layers; or the onnx engine on a CPU board.",
    details: { board: larger?.name ?? null, lacking },
  });
}

function designOf(core: UnrolledCore, graph: IntegerGraph, why: string): UnrolledDesign {
  return {
    graph,
    architecture: "unrolled",
    why,
    latencyCycles: core.latencyCycles,
    estimate: {
      lut: core.estimate.lut + shellCells.lut,
      bramBlocks: shellCells.bramBlocks + core.estimate.bramBlocks,
      dsp: 0,
    },
    verilog: core.emit(),
    taps: core.taps,
    sections: unrolledSections(core.layers),
  };
}

/**
 * Schedules a graph on the part's array and prints its Verilog.
 *
 * @param why For the report: why it is the array.
 * @throws {AppError} `MODEL_TOO_LARGE`
 */
export function designArray(
  { graph: asked, board, lanes, others }: Omit<DesignRequest, "architecture">,
  why: string,
): ArrayDesign {
  const graph = levelTables(asked);
  const part = arrayPart(board);
  const layers = layersOf(graph);
  const width = accumulatorWidthOf(graph);
  const result = chooseLanes(layers, width, part, lanes);
  if (!result.ok) {
    const sizes = [graph.input.size, ...layers.map(({ outputSize }) => outputSize)];
    const nearest = nearestSizes(sizes, (of) => chooseLanes(plain(of), width, part, lanes).ok);
    const larger = others.find((other) => chooseLanes(layers, width, arrayPart(other), lanes).ok);
    throw fail("MODEL_TOO_LARGE", `The model ${result.lack} on ${board.name}.`, {
      hint: hintOf(nearest, larger?.name ?? null),
      details: { sizes, nearest, board: larger?.name ?? null, lacking: result.lacking },
    });
  }
  const { schedule, estimate } = result.choice;
  return {
    graph,
    architecture: "array",
    why,
    latencyCycles: schedule.latencyCycles,
    schedule,
    estimate,
    verilog: emitCore(graph, schedule, estimate),
    taps: tapsOf(graph, schedule),
    sections: arraySections,
  };
}

/** Dense layers with nothing behind them. */
const plain = (sizes: readonly number[]): LayerShape[] =>
  sizes.slice(1).map((outputSize, index) => ({ inputSize: sizes[index] ?? 1, outputSize }));

function hintOf(nearest: readonly number[] | null, larger: string | null): string {
  const parts = [
    nearest ? `layers of ${nearest.join("-")} would fit` : "",
    larger ? `${larger} is large enough` : "",
  ].filter((part) => part !== "");
  const text = parts.join("; ") || "use the onnx engine on a CPU board";
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
