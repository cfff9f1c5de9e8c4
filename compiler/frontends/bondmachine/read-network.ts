import { fail } from "@/lib/common/errors";
import { cutText, showText } from "@/lib/common/text";
import { limits } from "./limits";

/** Types of neurons between inputs and outputs. The first two are one and the same. */
const hiddenTypes = ["linear", "summation", "relu", "softmax"] as const;
/** What a neuron of a hidden layer computes, by the name that the file has for it. */
export type NeuronType = (typeof hiddenTypes)[number];

/** A layer between inputs and outputs: all its neurons are of one type. */
export interface NetworkLayer {
  readonly type: NeuronType;
  readonly inputs: number;
  readonly outputs: number;
  /** Row-major by output; what the file leaves out is 0. */
  readonly weights: Float64Array;
  readonly bias: Float64Array;
}

export interface Network {
  readonly inputs: number;
  readonly layers: readonly NetworkLayer[];
}

interface Neuron {
  readonly layer: number;
  readonly position: number;
  readonly type: string;
  readonly bias: number;
}

interface Edge {
  readonly layer: number;
  readonly to: number;
  readonly from: number;
  readonly value: number;
}

/**
 * Reads the network JSON: neurons by layer and position, and the edges into each layer from the one before. Keys are read
 * without regard to case and unknown ones left aside, as Go does.
 *
 * @throws {AppError} `MODEL_TRUNCATED`, `MODEL_INVALID`, `MODEL_TOO_COMPLEX`, `MODEL_UNSUPPORTED`, `OPERATOR_UNSUPPORTED`
 */
export function readNetwork(text: string): Network {
  const file = lowered(parse(text));
  const neurons = listOf(file, "nodes", limits.nodes).map(neuronOf);
  const edges = listOf(file, "weights", limits.weights).map(edgeOf);
  const layers = layersOf(neurons);
  const matrices = matricesOf(layers, edges);
  const [first = []] = layers;
  if (layers.length < 3) throw invalid("it has no layer between inputs and outputs");
  if (first.some(({ type }) => type !== "input"))
    throw invalid("layer 0 has nodes that are no inputs");
  checkOutputs(layers, matrices);
  return {
    inputs: first.length,
    layers: layers
      .slice(1, -1)
      .map((layer, at) =>
        layerOf(layer, { at: at + 1, inputs: layers[at]?.length ?? 0, weights: matrices[at + 1] }),
      ),
  };
}

const invalid = (why: string) => fail("MODEL_INVALID", `The network cannot be read: ${why}.`);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (text.trimEnd().endsWith("}")) {
      throw fail("MODEL_INVALID", "The network is not valid JSON: numbers must be finite.", {
        cause,
      });
    }
    throw fail(
      "MODEL_TRUNCATED",
      `The JSON ends at character ${text.length}, before the network does.`,
      {
        hint: "This is likely an incomplete download.",
        cause,
      },
    );
  }
}

/** An object by its keys in small letters. */
function lowered(value: unknown): ReadonlyMap<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid("an object was expected");
  }
  return new Map(Object.entries(value).map(([key, each]) => [key.toLowerCase(), each]));
}

function listOf(file: ReadonlyMap<string, unknown>, key: string, most: number): readonly unknown[] {
  const list = file.get(key) ?? [];
  if (!Array.isArray(list)) throw invalid(`${key} is no list`);
  if (list.length <= most) return list;
  throw fail("MODEL_TOO_COMPLEX", `The network has ${list.length} ${key}; ${most} are the most.`);
}

function numberOf(fields: ReadonlyMap<string, unknown>, key: string, where: string): number {
  const value = fields.get(key.toLowerCase()) ?? 0;
  if (typeof value === "number" && Number.isFinite(Math.fround(value))) return value;
  throw invalid(`${key} of ${where} is no finite number`);
}

function placeOf(fields: ReadonlyMap<string, unknown>, key: string, where: string): number {
  const value = numberOf(fields, key, where);
  if (Number.isInteger(value) && value >= 0 && value < limits.nodes) return value;
  throw invalid(`${key} of ${where} is ${value}`);
}

function neuronOf(entry: unknown, at: number): Neuron {
  const where = `node ${at}`;
  const fields = lowered(entry);
  const type = fields.get("type");
  if (typeof type !== "string") throw invalid(`${where} has no type`);
  const layer = placeOf(fields, "Layer", where);
  if (layer >= limits.layers) {
    throw fail(
      "MODEL_TOO_COMPLEX",
      `The network has a layer ${layer}; ${limits.layers} layers are the most.`,
    );
  }
  return {
    layer,
    position: placeOf(fields, "Pos", where),
    type,
    bias: numberOf(fields, "Bias", where),
  };
}

function edgeOf(entry: unknown, at: number): Edge {
  const where = `weight ${at}`;
  const fields = lowered(entry);
  return {
    layer: placeOf(fields, "Layer", where),
    to: placeOf(fields, "PosCurrLayer", where),
    from: placeOf(fields, "PosPrevLayer", where),
    value: numberOf(fields, "Value", where),
  };
}

/** Neurons by layer and position, without gaps. */
function layersOf(neurons: readonly Neuron[]): readonly (readonly Neuron[])[] {
  const layers: Neuron[][] = [];
  for (const neuron of neurons) {
    const layer = (layers[neuron.layer] ??= []);
    if (layer[neuron.position])
      throw invalid(`node (${neuron.layer}, ${neuron.position}) is there twice`);
    layer[neuron.position] = neuron;
  }
  for (let at = 0; at < layers.length; at++) {
    const layer = layers[at] ?? [];
    if (layer.length === 0) throw invalid(`layer ${at} has no nodes`);
    const gap = Array.from(layer.keys()).find((position) => layer[position] === undefined);
    if (gap !== undefined) throw invalid(`node (${at}, ${gap}) is missing`);
  }
  return layers;
}

/** The edges into each layer, as a matrix; what leads back, or from or to where nothing is, is refused. */
function matricesOf(
  layers: readonly (readonly Neuron[])[],
  edges: readonly Edge[],
): readonly (Float64Array | undefined)[] {
  const matrices = layers.map((layer, at) => {
    const size = layer.length * (layers[at - 1]?.length ?? 0);
    if (size <= limits.matrix) return new Float64Array(size);
    throw fail(
      "MODEL_TOO_COMPLEX",
      `Layer ${at} has ${size} possible edges; ${limits.matrix} are the most.`,
    );
  });
  const seen = matrices.map(({ length }) => new Uint8Array(length));
  for (const { layer, to, from, value } of edges) {
    const before = layers[layer - 1];
    if (layer === 0 || !before)
      throw invalid(`an edge leads into layer ${layer}, which has none before it`);
    if (from >= before.length)
      throw invalid(`an edge comes from node (${layer - 1}, ${from}), which is missing`);
    if (to >= (layers[layer]?.length ?? 0))
      throw invalid(`an edge leads to node (${layer}, ${to}), which is missing`);
    const at = to * before.length + from;
    const known = seen[layer];
    const matrix = matrices[layer];
    if (!known || !matrix) continue;
    if (known[at])
      throw invalid(`the edge from (${layer - 1}, ${from}) to (${layer}, ${to}) is there twice`);
    known[at] = 1;
    matrix[at] = value;
  }
  return matrices;
}

/** Outputs pass the last layer on as it is, one each. */
function checkOutputs(
  layers: readonly (readonly Neuron[])[],
  matrices: readonly (Float64Array | undefined)[],
): void {
  const outputs = layers.at(-1) ?? [];
  const last = layers.at(-2) ?? [];
  if (outputs.some(({ type }) => type !== "output"))
    throw invalid("the last layer has nodes that are no outputs");
  if (outputs.length !== last.length) {
    throw fail(
      "MODEL_INVALID",
      `The network has ${last.length} nodes in its last layer and ${outputs.length} outputs.`,
      {
        hint: "Early versions of bmtrain wrote too few outputs: write the file again with pybondmachine's mlp_tf2bm.",
      },
    );
  }
  if (isIdentity(matrices.at(-1), outputs.length)) return;
  throw fail(
    "MODEL_UNSUPPORTED",
    "The outputs do not pass the last layer on one by one, with weights of 1.",
  );
}

const isIdentity = (matrix: Float64Array | undefined, size: number): boolean =>
  matrix?.every((value, at) => value === (at % (size + 1) === 0 ? 1 : 0)) ?? false;

function layerOf(
  neurons: readonly Neuron[],
  {
    at,
    inputs,
    weights = new Float64Array(),
  }: { readonly at: number; readonly inputs: number; readonly weights: Float64Array | undefined },
): NetworkLayer {
  const type = typeOf(neurons, at);
  if (type === "softmax") checkMesh(neurons, { at, inputs, weights });
  const bias = Float64Array.from(neurons, (neuron) => neuron.bias);
  return { type, inputs, outputs: neurons.length, weights, bias };
}

function typeOf(neurons: readonly Neuron[], at: number): NeuronType {
  const [first] = neurons;
  const other = neurons.find(({ type }) => type !== first?.type);
  const known = hiddenTypes.find((type) => type === first?.type);
  if (known && !other) return known;
  const strange = [first, other].find((each) => !hiddenTypes.some((type) => type === each?.type));
  if (strange) {
    const name = showText(cutText(strange.type, 40));
    throw fail(
      "OPERATOR_UNSUPPORTED",
      `Node (${at}, ${strange.position}) is a neuron of type "${name}".`,
      { hint: `Known are ${hiddenTypes.join(", ")}.` },
    );
  }
  throw fail("MODEL_UNSUPPORTED", `Layer ${at} has neurons of several types.`);
}

/** A softmax reads every score, with a weight of 1 and no bias. */
function checkMesh(
  neurons: readonly Neuron[],
  {
    at,
    inputs,
    weights,
  }: { readonly at: number; readonly inputs: number; readonly weights: Float64Array },
): void {
  const isWhole = inputs === neurons.length && weights.every((weight) => weight === 1);
  if (isWhole && neurons.every(({ bias }) => bias === 0)) return;
  throw fail(
    "MODEL_UNSUPPORTED",
    `The softmax of layer ${at} is no full mesh of weights of 1 without bias.`,
  );
}
