import type { MapOutline, Outline } from "@/lib/common/contract";
import type { Graph } from "../../graph/graph";
import { numbering } from "../../integer/numbering";
import type { Layer } from "../../model/maps/layers";
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
