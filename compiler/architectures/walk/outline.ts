import type { MapOutline, Outline } from "@/lib/common/contract";
import type { Graph } from "../../graph/graph";
import type { IntegerGraph } from "../../integer/integer-graph";
import { numbering } from "../../integer/numbering";
import { isSumming, type Layer } from "../../model/maps/layers";
import { reachOf } from "../../passes/sum-width";
import { mapModel } from "../../reader";

/** As much of a model of feature maps as forecasts need. */
export function outlineMaps(graph: Graph): Outline {
  const { inputSize, layers } = mapModel(graph);
  const numberOf = numbering();
  const tableOf = (layer: Layer) =>
    "elementwise" in layer && layer.elementwise
      ? { table: numberOf(JSON.stringify(layer.elementwise)) }
      : {};
  const outlines = layers.map((layer) => ({ ...mapOutline(layer), ...tableOf(layer) }));
  return { kind: "maps", inputs: inputSize, layers: outlines };
}

function mapOutline(layer: Layer): MapOutline {
  const { output } = layer;
  if (layer.kind === "add") {
    const { kind, from, relu } = layer;
    return { kind, from, output, relu };
  }
  if (layer.kind === "product") {
    const { kind, from, input, relu } = layer;
    return { kind, from, input, output, relu };
  }
  if (layer.kind === "concat") {
    const { kind, from, channels } = layer;
    return { kind, from, channels, output };
  }
  const { from, input, window } = layer;
  if (layer.kind === "max-pool") return { kind: layer.kind, from, input, output, window };
  const { kind, groups, relu, weights } = layer;
  const reach = reachOf(weights, weights.length / output.channels);
  return { kind, from, input, output, window, groups, relu, reach };
}

/** The same of integers whose weights and formats are the model's own. */
export function outlineMapNodes({ nodes, input }: IntegerGraph): Outline {
  const numberOf = numbering();
  const layers: MapOutline[] = [];
  /** The layer that a node belongs to. */
  const places: number[] = [];
  const placeOf = (node: number) => (node < 0 ? -1 : (places[node] ?? -1));
  for (const [place, node] of nodes.entries()) {
    const next = nodes[place + 1];
    const relu = next?.op === "requantize" && !next.signed;
    if (node.op === "convolution") {
      const { from, input: view, output, window, groups, weights } = node;
      const reach = reachOf(weights, weights.length / output.channels);
      const { op: kind } = node;
      layers.push({ kind, from: placeOf(from), input: view, output, window, groups, relu, reach });
    } else if (node.op === "add") {
      const [left, right] = node.from;
      layers.push({
        kind: "add",
        from: [placeOf(left), placeOf(right)],
        output: node.output,
        relu,
      });
    } else if (node.op === "product") {
      const [left, right] = node.from;
      const { op: kind, input: view, output } = node;
      layers.push({ kind, from: [placeOf(left), placeOf(right)], input: view, output, relu });
    } else if (node.op === "max-pool") {
      const { from, input: view, output, window } = node;
      layers.push({ kind: "max-pool", from: placeOf(from), input: view, output, window });
    } else if (node.op === "concat") {
      const { channels, output } = node;
      layers.push({ kind: "concat", from: node.from.map(placeOf), channels, output });
    } else if (node.op === "table") {
      const last = layers.at(-1);
      if (last && isSumming(last)) {
        layers[layers.length - 1] = { ...last, table: numberOf(node.values.join()) };
      }
    }
    places.push(layers.length - 1);
  }
  return { kind: "maps", inputs: input.size, layers };
}
