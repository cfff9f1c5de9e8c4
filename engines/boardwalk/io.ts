import type { IntegerGraph, Lowered, NetworkOutput } from "@/compiler";
import { bytesOnLine } from "@/compiler/forecast";
import type { ArtifactIo, ModelCard } from "@/lib/common/contract";

/** The tensors at the edge of the core, under the model's own names, with the arithmetic that the host does. */
export function ioOf(
  { network, standardisation, inputQuantizer }: Lowered,
  graph: IntegerGraph,
  card: ModelCard | null,
): ArtifactIo {
  const { input } = network;
  const { mean, deviation } = standardisation;
  return {
    inputs: [
      {
        name: input.name,
        datatype: input.datatype,
        shape: [-1, ...input.shape.slice(1)],
        size: graph.input.size,
        fixedPoint: {
          width: graph.input.width,
          fraction: graph.input.fraction,
          signed: true,
        },
        standardise: { mean: [...mean], deviation: [...deviation] },
        ...(inputQuantizer ? { quantise: inputQuantizer } : {}),
      },
    ],
    outputs: network.outputs.map((output) => outputOf(output, graph, card)),
  };
}

function outputOf(
  { spec, activation, elementwise, classes }: NetworkOutput,
  { output }: IntegerGraph,
  card: ModelCard | null,
): ArtifactIo["outputs"][number] {
  const argmax = activation === "argmax";
  const labels = card?.classes;
  return {
    name: spec.name,
    datatype: argmax ? "INT64" : spec.datatype,
    shape: argmax ? [-1, ...spec.shape.slice(1)] : [-1, output.size],
    size: argmax ? 1 : output.size,
    fixedPoint: { width: output.width, fraction: output.fraction, signed: true },
    ...(elementwise ? { elementwise } : {}),
    activation,
    scores: { first: 0, count: output.size },
    ...(classes ? { classes: [...classes] } : {}),
    ...(labels && labels.length === output.size ? { labels: [...labels] } : {}),
  };
}

/** How a row passes the stream port. */
export function corePortOf({ input, output }: IntegerGraph, latencyCycles: number) {
  const bytesPerOutput = output.width / 8;
  return {
    inputBytes: input.size,
    outputBytes: output.size * bytesPerOutput,
    bytesPerOutput,
    latencyCycles,
  };
}

/** A batch is rows in sequence over the link; it should not hold the board for longer. */
const batchS = 0.25;
const mostRows = 1024;

/** The largest batch worth sending at once, from how long its rows take on a serial line; null: on another link. */
export function maxBatchSizeOf({ input, output }: IntegerGraph, baud: number | null): number {
  if (baud === null) return mostRows;
  const outputBytes = (output.size * output.width) / 8;
  const bytes = bytesOnLine({ inputBytes: input.size, outputBytes });
  return Math.min(mostRows, Math.max(1, Math.floor((batchS * baud) / (10 * bytes))));
}
