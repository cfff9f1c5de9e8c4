import type { ArtifactIo } from "@/lib/common/contract";
import type { FeatureRanks } from "@/lib/common/ranks";
import { chunkLevels } from "../architectures/trees/chunks";
import type { Graph } from "../graph/graph";
import { perGraph } from "../graph/per-graph";
import { refuseModel } from "../graph/refuse";
import { chained, type IntegerGraph, type SumNode, type Unplaced } from "../integer/integer-graph";
import { inputSpansOf } from "../model/input-spans";
import type { Tree, TreeModel } from "../model/trees/ensemble";
import { parentsOf } from "../model/trees/read-trees";
import { quantizeLeaves } from "../passes/trees/quantize-leaves";
import { rankFeatures } from "../passes/trees/rank-features";
import { treeVectors } from "../passes/trees/vectors";
import { readTreeModel } from "../reader/trees";
import { rowNameOf } from "./edges";
import type { Lowered } from "./lowered";

/** A tree ensemble as integers, with what host and verification need beside it. */
export interface LoweredTrees extends Lowered {
  readonly model: TreeModel;
  /** How the host turns each feature into what the core takes. */
  readonly ranks: readonly FeatureRanks[];
  /** No score is further from the float model's than this, but for float32 sums of the latter. */
  readonly errorBound: number;
}

/** Levels of the deepest trees: four chunks, one below the other. */
const maxDepth = 4 * chunkLevels;
/** Of one tree: what is larger fits no part. */
const maxLeaves = 4096;

/**
 * Brings a graph of trees down to the integer graph that hardware runs: every decision exact, leaves on a grid.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED`, `MODEL_UNSUPPORTED`, `MODEL_INVALID`.
 */
export const lowerTrees = perGraph((graph): LoweredTrees => {
  const model = takenTrees(graph);
  const { ensemble, inputs } = model;
  const features = inputSpansOf(inputs).reduce((sum, { size }) => sum + size, 0);
  const grid = quantizeLeaves(ensemble);
  const { ranks, features: sent, inputBytes, trees } = rankFeatures(grid.trees, features);
  const elements = grid.trees.flatMap(({ scores }) => scores);
  const terms: number[][] = ensemble.base.map(() => []);
  for (const [element, score] of elements.entries()) terms[score]?.push(element);
  const limit = 2 ** 15;
  const isShort = [...grid.bias, ...grid.most].every((each) => each >= -limit && each < limit);
  const sum: Unplaced<SumNode> = {
    op: "sum",
    name: "scores",
    terms,
    bias: grid.bias,
    width: isShort ? 16 : 32,
  };
  const integerGraph: IntegerGraph = {
    schemaVersion: 2,
    input: { name: rowNameOf(inputs), size: inputBytes, width: 8, fraction: 0 },
    nodes: chained([{ op: "trees", name: ensemble.name, features: sent, trees }, sum]),
    output: {
      name: model.outputs[0]?.spec.name ?? sum.name,
      size: terms.length,
      width: sum.width,
      fraction: grid.fraction,
    },
  };
  return {
    model,
    ranks,
    integerGraph,
    io: ioOf(model, ranks, integerGraph),
    vectors: () => treeVectors(trees, ranks),
    calibration: null,
    notes: notesOf(model, trees.length, grid.errorBound),
    errorBound: grid.errorBound,
  };
});

/** Features become ranks, scores become what the model answers. */
function ioOf(
  { inputs, outputs }: TreeModel,
  ranks: LoweredTrees["ranks"],
  { output: { size: count, width, fraction } }: IntegerGraph,
): ArtifactIo {
  const spans = inputSpansOf(inputs);
  return {
    inputs: inputs.map(({ name, datatype }, at) => {
      const { first, size } = spans[at] ?? { first: 0, size: 0 };
      return {
        name,
        datatype,
        shape: [-1, size],
        size,
        ranks: ranks
          .slice(first, first + size)
          .map(({ thresholds, missing }) => ({ thresholds: [...thresholds], missing })),
      };
    }),
    outputs: outputs.map(({ spec, activation, classes }) => ({
      name: spec.name,
      datatype: spec.datatype,
      shape: [-1, ...spec.shape.slice(1)],
      size: activation === "argmax" ? 1 : count,
      fixedPoint: { width, fraction, signed: true },
      activation,
      scores: { first: 0, count },
      ...(classes ? { classes: [...classes] } : {}),
    })),
  };
}

function notesOf({ ensemble }: TreeModel, built: number, errorBound: number): string[] {
  const constant = ensemble.trees.length - built;
  return [
    "Every comparison is exact: features are sent as their ranks among the model's thresholds.",
    `Scores before ${ensemble.transform === "none" ? "any" : "their"} link function are within ${errorBound.toPrecision(2)} of the model's.`,
    ...(constant > 0
      ? [`${constant} trees add the same to every row, and are part of the base values.`]
      : []),
  ];
}

/** The trees of a graph, if they can be built: what is refused is refused here, before a board is chosen. */
function takenTrees(graph: Graph): TreeModel {
  const model = readTreeModel(graph);
  for (const tree of model.ensemble.trees) refuseUnlikeTrees(tree);
  const deepest = model.ensemble.trees.reduce((most, tree) => Math.max(most, depthOf(tree)), 0);
  if (deepest > maxDepth) {
    throw refuseModel(
      `The trees are up to ${deepest} levels deep; FPGA boards take ${maxDepth}. Train with max_depth=${maxDepth} or less.`,
    );
  }
  const widest = model.ensemble.trees.reduce((most, tree) => Math.max(most, leavesOf(tree)), 0);
  if (widest > maxLeaves) {
    throw refuseModel(
      `A tree has ${widest} leaves; FPGA boards take ${maxLeaves}. Train with max_leaf_nodes=${maxLeaves} or less.`,
    );
  }
  return model;
}

const leavesOf = (tree: Tree): number => tree.filter(({ kind }) => kind === "leaf").length;

function refuseUnlikeTrees(tree: Tree): void {
  for (const node of tree) {
    if (node.kind === "leaf" || node.test !== "equal") continue;
    throw refuseModel(
      `The trees split feature ${node.feature} on categories, which FPGA boards do not take.`,
    );
  }
  if (parentsOf(tree).some((count) => count > 1)) {
    throw refuseModel("Branches of the trees meet again, which FPGA boards do not take.");
  }
}

/** Comparisons on the longest way to a leaf. */
function depthOf(tree: Tree): number {
  const depths = tree.map(() => 0);
  for (const [at, node] of tree.entries()) {
    if (node.kind === "leaf") continue;
    for (const child of [node.yes, node.no]) depths[child] = (depths[at] ?? 0) + 1;
  }
  return depths.reduce((a, b) => Math.max(a, b), 0);
}
