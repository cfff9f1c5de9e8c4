import { type Graph, type GraphNode, hgqDomain } from "@/compiler";
import type { OptionLayer } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { ParsedModel } from "../engine";
import type { Options } from "./options";
import { validReuseFactors } from "./reuse-factors";

/** Operators with weights, and functions of which hls4ml makes layers. */
const weighted = new Set(["MatMul", "Gemm", "Conv"]);
const multiplies = ({ operator, domain }: GraphNode): boolean =>
  weighted.has(operator) || domain === hgqDomain;
const functions = new Set(["Relu", "LeakyRelu", "Elu", "Sigmoid", "Tanh", "Softmax", "Softplus"]);

/** Names that hls4ml gives by itself: its script knows whether a model has them. */
const ownNames = /^[A-Z][A-Za-z]*_\d+(_param\d+)?$|^global_(in|out)$/;

/** The layers of a model that option `layers` names, as their author called them, and what can be set of each. */
export function layersOf({ format, graph }: Pick<ParsedModel, "format" | "graph">): OptionLayer[] {
  if (!graph) return [];
  return format === "onnx" ? onnxLayers(graph) : kerasLayers(graph);
}

/**
 * Holds option `layers` against the model.
 *
 * @throws {AppError} `OPTION_INVALID` at the field: a layer that is not there, or a reuse factor that hls4ml would change.
 */
export function checkLayers(model: ParsedModel, { layers }: Pick<Options, "layers">): void {
  const known = layersOf(model);
  for (const [name, { reuseFactor }] of Object.entries(layers)) {
    const field = `options.layers.${name}`;
    const layer = known.find((each) => each.name === name);
    if (!layer) {
      if (isOwnName(name, model, known)) continue;
      throw fail("OPTION_INVALID", `Option layers: there is no layer "${name.slice(0, 80)}".`, {
        field,
        hint: `Layers are ${known
          .map((each) => each.name)
          .join(", ")
          .slice(0, 600)}.`,
      });
    }
    const allowed = layer.settings["reuseFactor"];
    if (reuseFactor === undefined || allowed?.includes(reuseFactor)) continue;
    throw fail("OPTION_INVALID", `Layer ${name} cannot use a multiplier ${reuseFactor} times.`, {
      field: `${field}.reuseFactor`,
      hint: allowed
        ? `Its weights divide by ${allowed.join(", ").slice(0, 600)}.`
        : "It has no multipliers: leave its reuse factor out.",
    });
  }
}

function isOwnName(name: string, { format }: ParsedModel, known: readonly OptionLayer[]): boolean {
  if (format === "onnx") return ownNames.test(name);
  return known.some((layer) => name.startsWith(`${layer.name}_`)) || known.length === 0;
}

/** Nodes of one Keras layer are called after it: `fc1/MatMul`. Layers of a model within a model are left to hls4ml. */
function kerasLayers(graph: Graph): OptionLayer[] {
  const nodes = new Map<string, GraphNode[]>();
  for (const node of graph.nodes) {
    const [layer = "", ...rest] = node.name.split("/");
    if (rest.length !== 1) continue;
    nodes.set(layer, [...(nodes.get(layer) ?? []), node]);
  }
  return [...nodes].map(([name, own]) => {
    const multiplying = own.find(multiplies);
    const [first] = own;
    return layerOf(name, multiplying ?? first, graph);
  });
}

function onnxLayers(graph: Graph): OptionLayer[] {
  return graph.nodes
    .filter(({ operator }) => weighted.has(operator) || functions.has(operator))
    .map((node) => layerOf(node.name, node, graph));
}

function layerOf(name: string, node: GraphNode | undefined, graph: Graph): OptionLayer {
  const matrix = node && multiplies(node) ? matrixOf(node, graph) : null;
  return {
    name,
    operator: node?.operator ?? "",
    settings: {
      width: null,
      integerBits: null,
      ...(matrix ? { reuseFactor: validReuseFactors(matrix), strategy: null } : {}),
    },
  };
}

/** Rows and columns of the product that a layer's multipliers make; null where its weights are not one matrix. */
function matrixOf(
  { operator, inputs: [, weights = ""], attributes }: GraphNode,
  graph: Graph,
): { readonly inputs: number; readonly outputs: number } | null {
  const shape = graph.constants.get(weights)?.shape ?? graph.shapes.get(weights);
  if (!shape || shape.length < 2 || shape.some((size) => size < 1)) return null;
  const size = shape.reduce((product, each) => product * each, 1);
  const isOutputFirst = operator === "Conv" || attributes["transB"] === 1;
  const outputs = (isOutputFirst ? shape[0] : shape.at(-1)) ?? 1;
  return { inputs: size / outputs, outputs };
}
