import type { Graph } from "../graph/graph";
import { perGraph } from "../graph/per-graph";
import { refuseModel } from "../graph/refuse";
import type { DenseNetwork } from "../model/dense-network";
import type { MapModel } from "../model/maps/layers";
import { denseNetworkOf } from "./dense-network";
import { mapModelOf } from "./map-model";
import { type ReadModel, readModel } from "./read-model";
import type { Step } from "./step";
import { stepsOf } from "./steps-of";

interface Read {
  readonly model: ReadModel;
  /** Where the layers are a chain of rows; else null. */
  readonly steps: readonly Step[] | null;
}

/**
 * Reads a graph.
 *
 * @throws {AppError} as `readModel`.
 */
export const readGraph = perGraph((graph): Read => {
  const model = readModel(graph);
  return { model, steps: stepsOf(model) };
});

/**
 * A graph of dense layers in a row.
 *
 * @throws {AppError} as `readModel`; `MODEL_UNSUPPORTED` for any other graph.
 */
export function denseNetwork(graph: Graph): DenseNetwork {
  const { model, steps } = readGraph(graph);
  if (steps) return denseNetworkOf(model, steps);
  throw refuseModel("The model is no row of dense layers.");
}

/**
 * A graph of feature maps: any whose layers hardware has.
 *
 * @throws {AppError} as `readModel`.
 */
export const mapModel = (graph: Graph): MapModel => mapModelOf(readGraph(graph).model);
