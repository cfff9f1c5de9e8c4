import {
  designTrees,
  type Graph,
  type LoweredTrees,
  lowerTrees,
  refuseTreeLanes,
  timelineOf,
} from "@/compiler";
import type { ArtifactIo, ModelCard } from "@/lib/common/contract";
import { type Compiled, type CompileRequest, targetOf } from "./compiled";
import { expectedResources } from "./forecast-parts";

/**
 * A tree ensemble's core, with what the host does at its edges.
 *
 * @throws {AppError} `MODEL_TOO_LARGE`, `OPTION_INVALID`, and what `lowerTrees` refuses.
 */
export function compileTrees(
  graph: Graph,
  { request: { board, card }, options, others }: CompileRequest,
): Compiled {
  refuseTreeLanes(options.lanes);
  const lowered = lowerTrees(graph);
  const { integerGraph } = lowered;
  const design = designTrees({
    graph: integerGraph,
    board: targetOf(board),
    others,
  });
  const { estimate, taps, verilog, latencyCycles, sections } = design;
  return {
    graph: integerGraph,
    verilog,
    taps,
    sections,
    vectors: lowered.vectors,
    latencyCycles,
    io: ioOf(lowered, card),
    forecast: {
      resources: expectedResources(estimate, board.part),
      latencyCycles,
      timeline: timelineOf({ graph: integerGraph, taps, latencyCycles }),
      notes: notesOf(lowered),
    },
  };
}

/** The tensors at the edge of the core: features become ranks, scores become what the model answers. */
function ioOf({ model, ranks, integerGraph }: LoweredTrees, card: ModelCard | null): ArtifactIo {
  const { input, features, ensemble, outputs } = model;
  const { size: count, width, fraction } = integerGraph.output;
  const named = card?.classes?.length === count ? { labels: [...card.classes] } : {};
  const { labels } = ensemble;
  return {
    inputs: [
      {
        name: input.name,
        datatype: input.datatype,
        shape: [-1, features],
        size: features,
        ranks: ranks.map(({ thresholds, missing }) => ({ thresholds: [...thresholds], missing })),
      },
    ],
    outputs: outputs.map(({ spec, activation }) => ({
      name: spec.name,
      datatype: spec.datatype,
      shape: [-1, ...spec.shape.slice(1)],
      size: activation === "argmax" ? 1 : count,
      fixedPoint: { width, fraction, signed: true },
      activation,
      scores: { first: 0, count },
      ...(activation === "argmax" && labels ? { classes: [...labels] } : {}),
      ...named,
    })),
  };
}

function notesOf({ model, errorBound, integerGraph }: LoweredTrees): string[] {
  const [trees] = integerGraph.nodes;
  const built = trees?.op === "trees" ? trees.trees.length : 0;
  const constant = model.ensemble.trees.length - built;
  return [
    "Every comparison is exact: features are sent as their ranks among the model's thresholds.",
    `Scores before ${model.ensemble.transform === "none" ? "any" : "their"} link function are within ${errorBound.toPrecision(2)} of the model's.`,
    ...(constant > 0
      ? [`${constant} trees add the same to every row, and are part of the base values.`]
      : []),
  ];
}
