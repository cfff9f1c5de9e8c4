import { fail } from "@/lib/common/errors";
import { nearestSizes } from "./forecast";
import type { IntegerGraph, Tap } from "./integer-graph";
import {
  accumulatorWidthOf,
  chooseLanes,
  type PartResources,
  type ResourceEstimate,
  type Schedule,
  stagesOf,
} from "./schedule";
import { emitCore, tapsOf } from "./verilog";

/** An integer graph as hardware for one part. */
export interface Design {
  readonly schedule: Schedule;
  readonly estimate: ResourceEstimate;
  readonly verilog: string;
  readonly taps: readonly Tap[];
}

export interface DesignRequest {
  readonly graph: IntegerGraph;
  readonly part: PartResources;
  /** How people call the board, for messages. */
  readonly boardName: string;
  /** Lanes asked for; null leaves the choice to the compiler. */
  readonly lanes: number | null;
  /** Other boards that could be built for, with what they offer. */
  readonly others: readonly { readonly name: string; readonly part: PartResources }[];
}

/**
 * Schedules a graph on the part's array and prints its Verilog.
 *
 * @throws {AppError} `MODEL_TOO_LARGE`, saying by how much and what would fit.
 */
export function designCore({ graph, part, boardName, lanes, others }: DesignRequest): Design {
  const layers = stagesOf(graph).map(({ dense }) => dense);
  const width = accumulatorWidthOf(graph);
  const result = chooseLanes(layers, width, part, lanes);
  if (!result.ok) {
    const sizes = [graph.input.size, ...layers.map(({ outputSize }) => outputSize)];
    const nearest = nearestSizes(sizes, part, lanes);
    const larger = others.find((other) => chooseLanes(layers, width, other.part, lanes).ok);
    throw fail("MODEL_TOO_LARGE", `The model ${result.lack} on ${boardName}.`, {
      hint: hintOf(nearest, larger?.name ?? null),
      details: { sizes, nearest, board: larger?.name ?? null },
    });
  }
  const { schedule, estimate } = result.choice;
  return {
    schedule,
    estimate,
    verilog: emitCore(graph, schedule, estimate),
    taps: tapsOf(graph, schedule),
  };
}

function hintOf(nearest: readonly number[] | null, larger: string | null): string {
  const parts = [
    nearest ? `layers of ${nearest.join("-")} would fit` : "",
    larger ? `${larger} is large enough` : "",
  ].filter((part) => part !== "");
  const text = parts.join("; ") || "use the onnx engine on a CPU board";
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
