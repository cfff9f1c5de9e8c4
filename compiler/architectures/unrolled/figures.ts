import type { FamilyCosts } from "@/boards";
import type { IntegerGraph } from "../../integer/integer-graph";
import { layersOf } from "../../integer/layers";
import { latencyOf } from "./emit";
import { estimateCells } from "./estimate";
import { heldBits } from "./held-bits";
import type { Network } from "./network";
import type { Pipeline } from "./pipeline";
import type { TableCount, UnrolledFigures } from "./unrolled-outline";

/** Counts what a network and the control around it are made of. */
export function figuresOf(
  graph: IntegerGraph,
  { network, pipeline }: { readonly network: Network; readonly pipeline: Pipeline },
  costs: FamilyCosts,
): UnrolledFigures {
  const cells = estimateCells(network, pipeline, costs);
  const { input, output } = graph;
  const around = heldBits(input.size, output.width * output.size);
  return {
    lut: cells.lut + around,
    flipFlops: cells.flipFlops + around,
    latencyCycles: latencyOf(pipeline),
    tables: tablesOf(graph, network),
  };
}

/** One table for each value that is looked up, by layer. */
function tablesOf(graph: IntegerGraph, { signals }: Network): TableCount[] {
  return layersOf(graph).flatMap(({ table }, layer) => {
    const count = signals.filter((each) => each.kind === "table" && each.layer === layer).length;
    return table && count > 0 ? [{ count, bits: table.values.length * table.width }] : [];
  });
}
