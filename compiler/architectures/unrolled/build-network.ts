import type { FamilyCosts } from "@/boards";
import type { IntegerGraph } from "../../integer/integer-graph";
import { type Layer, layersOf } from "../../integer/layers";
import { signedDigits } from "../../integer/signed-digits";
import { buildLayer } from "./build-layer";
import { type Network, resultsOf, type Value } from "./network";
import { NetworkBuilder } from "./network-builder";
import { type DepthLayer, levelsAfter } from "./plan-levels";
import { proveLayer } from "./prove";

/**
 * Unrolls a graph into adders: every weight as signed digits, every layer with its patterns shared and its rows summed.
 * Neurons that nothing uses and values that are the same for every row are left out.
 *
 * @param costs What adders cost on the part.
 * @param trials Ways of making each layer that are tried at most; left out, as many as pay.
 */
export function buildNetwork(graph: IntegerGraph, costs: FamilyCosts, trials?: number): Network {
  const stages = layersOf(graph);
  const used = usedOutputs(stages);
  const builder = new NetworkBuilder();
  const depths = stages.map((stage, index) => depthLayerOf(stage, used[index] ?? []));
  const half = 2 ** (graph.input.width - 1);
  let inputs: readonly Value[] = Array.from({ length: graph.input.size }, (_, element) => ({
    kind: "term",
    term: {
      signal: builder.input(element, { min: -half, max: half - 1 }),
      shift: 0,
      negative: false,
    },
    constant: 0,
  }));
  for (const [index, stage] of stages.entries()) {
    const layer = buildLayer(builder, {
      stage,
      index,
      inputs,
      used: used[index] ?? [],
      later: depths.slice(index + 1),
      costs,
      trials,
    });
    inputs = resultsOf(layer).map((value) => value ?? { kind: "constant", constant: 0 });
  }
  const network = builder.finish();
  for (const [index, stage] of stages.entries()) proveLayer(network, index, stage);
  return network;
}

function depthLayerOf(stage: Layer, used: readonly boolean[]): DepthLayer {
  const { inputSize, outputSize, weights } = stage.dense;
  const digits = Array.from({ length: outputSize }, (_, output) =>
    Array.from({ length: inputSize }, (_, input) =>
      used[output] ? signedDigits(weights[output * inputSize + input] ?? 0).length : 0,
    ),
  );
  return { digits, after: levelsAfter(stage) };
}

/** Per layer, which outputs reach the answer through weights other than 0. */
function usedOutputs(stages: readonly Layer[]): boolean[][] {
  let used: boolean[] = Array.from({ length: stages.at(-1)?.dense.outputSize ?? 0 }, () => true);
  const layers: boolean[][] = [];
  for (const { dense } of [...stages].reverse()) {
    layers.unshift(used);
    used = Array.from({ length: dense.inputSize }, (_, input) =>
      used.some((is, output) => is && dense.weights[output * dense.inputSize + input] !== 0),
    );
  }
  return layers;
}
