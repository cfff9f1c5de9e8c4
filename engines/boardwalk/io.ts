import type { IntegerGraph, Lowered, NetworkOutput } from "@/compiler";
import { bytesOnLine } from "@/compiler/forecast";
import type { ArtifactIo, ModelCard } from "@/lib/common/contract";
import type { TensorSpec } from "@/lib/common/tensor";

type Output = ArtifactIo["outputs"][number];

/** The tensors at the edge of the core, under the model's own names, with the arithmetic that the host does. */
export function ioOf(
  { network, standardisation, inputQuantizer }: Lowered,
  graph: IntegerGraph,
  card: ModelCard | null,
): ArtifactIo {
  const input = inputOf(network.input, standardisation, graph);
  return {
    inputs: [{ ...input, ...(inputQuantizer ? { quantise: inputQuantizer } : {}) }],
    outputs: network.outputs.map((output) => outputOf(output, graph, card)),
  };
}

function outputOf(
  { spec, activation, elementwise, classes }: NetworkOutput,
  graph: IntegerGraph,
  card: ModelCard | null,
): Output {
  const { size } = graph.output;
  return {
    ...scoresOf({ spec, activation }, graph, card),
    shape: activation === "argmax" ? [-1, ...spec.shape.slice(1)] : [-1, size],
    ...(elementwise ? { elementwise } : {}),
    scores: { first: 0, count: size },
    ...(classes ? { classes: [...classes] } : {}),
  };
}

/** An input that the host standardises and puts onto the grid of the core. */
export function inputOf(
  { name, datatype, shape }: TensorSpec,
  { mean, deviation }: Pick<Lowered["standardisation"], "mean" | "deviation">,
  { input: { size, width, fraction } }: IntegerGraph,
): ArtifactIo["inputs"][number] {
  return {
    name,
    datatype,
    shape: [-1, ...shape.slice(1)],
    size,
    fixedPoint: { width, fraction, signed: true },
    standardise: { mean: [...mean], deviation: [...deviation] },
  };
}

/** An output that is made of all scores of the core. */
export function scoresOf(
  { spec: { name, datatype }, activation }: Pick<NetworkOutput, "spec" | "activation">,
  { output: { size, width, fraction } }: IntegerGraph,
  card: ModelCard | null,
): Omit<Output, "shape"> {
  const isIndex = activation === "argmax";
  const labels = card?.classes;
  return {
    name,
    datatype: isIndex ? "INT64" : datatype,
    size: isIndex ? 1 : size,
    fixedPoint: { width, fraction, signed: true },
    activation,
    ...(labels && labels.length === size ? { labels: [...labels] } : {}),
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
