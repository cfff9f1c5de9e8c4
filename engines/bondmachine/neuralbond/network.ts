import { connectionsOf, type MachineLayer } from "../../reference/machine-layer";
import { fusedFragments } from "../parts";

/** The network as neuralbond reads it: nodes, and weights between them; each output has a node and a weight of 1 of its own. */
export function networkFile(layers: readonly MachineLayer[]): string {
  const { inputSize = 0 } = layers[0] ?? {};
  const { outputSize = 0 } = layers.at(-1) ?? {};
  const last = layers.length + 1;
  const nodes = [
    ...range(inputSize).map((place) => node(0, place, "input", 0)),
    ...layers.flatMap((layer, at) =>
      layer.bias.map((value, place) => node(at + 1, place, neuronOf(layer, layers[at + 1]), value)),
    ),
    ...range(outputSize).map((place) => node(last, place, "output", 0)),
  ];
  const weights = [
    ...layers.flatMap((layer, at) =>
      range(layer.outputSize).flatMap((to) =>
        connectionsOf(layer, to).map(({ from, weight }) => edge(at + 1, to, from, weight)),
      ),
    ),
    ...range(outputSize).map((place) => edge(last, place, place, 1)),
  ];
  return `${JSON.stringify({ Nodes: nodes, Weights: weights }, null, 1)}\n`;
}

/** The neuron of a layer's nodes. What a softmax follows is a summation, as upstream's own converters have it. */
function neuronOf(layer: MachineLayer, next: MachineLayer | undefined): string {
  if (layer.softmaxTerms !== undefined) return "softmax";
  if (layer.relu) return "relu";
  return next?.softmaxTerms === undefined ? "linear" : "summation";
}

/**
 * neuralbond's configuration, which it reads and writes again: the terms of a softmax's exponential, without which it panics,
 * and the fragments that become one processor.
 */
export function configFile(layers: readonly MachineLayer[], form: "split" | "fused"): string {
  const terms = layers.at(-1)?.softmaxTerms;
  const groups = layers.flatMap((layer, at) =>
    range(layer.outputSize).map((output) => fusedFragments(layer, at + 1, output)),
  );
  const settings = {
    ...(terms === undefined ? {} : { Params: { expprec: String(terms) } }),
    ...(form === "split" ? {} : { Collapsed: groups }),
  };
  return `${JSON.stringify(settings)}\n`;
}

const range = (count: number) => Array.from({ length: count }, (_, at) => at);

const node = (Layer: number, Pos: number, Type: string, Bias: number) => ({
  ...{ Layer, Pos, Type, Bias },
});
const edge = (Layer: number, PosCurrLayer: number, PosPrevLayer: number, Value: number) => ({
  ...{ Layer, PosCurrLayer, PosPrevLayer, Value },
});

const decimals = 6;

/** A number as neuralbond prints it into the assembly: a float32 with six decimals, ties to even. */
export function asPrinted(value: number): number {
  const single = Math.fround(value);
  const text = single.toFixed(decimals);
  // JavaScript rounds a tie up, Go to the even digit: they differ where the seventh decimal is a 5 and the last.
  const isTie = (single * 10 ** (decimals + 1)) % 10 === Math.sign(single) * 5;
  if (!isTie || Number(text.at(-1)) % 2 === 0) return Number(text);
  return Number((Number(text) - Math.sign(single) * 10 ** -decimals).toFixed(decimals));
}
