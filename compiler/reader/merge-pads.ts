import type { Graph, GraphConstant, GraphNode } from "../graph/graph";

/** Zeros around a tensor: how many before and behind, for each axis. */
interface Margins {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/**
 * Takes a `Pad` of zeros into the convolution that reads it, also where a `Transpose` lies between them. Others stay, and
 * are refused by name.
 *
 * @see ONNX operator Pad: `pads` are all beginnings, then all ends; from operator set 11 on an input, with the value and
 *   the axes behind it.
 */
export function mergePads(nodes: readonly GraphNode[], graph: Graph): GraphNode[] {
  const readersOf = readersByName(nodes);
  const changed = new Map<GraphNode, GraphNode>();
  const renamed = new Map<string, string>();
  for (const node of nodes) {
    let margins = marginsOf(node, graph);
    if (!margins) continue;
    let [last = ""] = node.outputs;
    let [reader, another] = readersOf(last);
    while (margins && reader?.operator === "Transpose" && !another) {
      margins = transposed(margins, reader);
      [last = ""] = reader.outputs;
      [reader, another] = readersOf(last);
    }
    const isFirst = reader?.inputs.indexOf(last) === 0;
    const padded = margins && reader && isFirst && !another ? withMargins(reader, margins) : null;
    if (!reader || !padded || changed.has(reader)) continue;
    changed.set(reader, padded);
    renamed.set(node.outputs[0] ?? "", node.inputs[0] ?? "");
  }
  return nodes
    .filter(({ outputs: [name = ""] }) => !renamed.has(name))
    .map((node) => changed.get(node) ?? node)
    .map((node) => ({ ...node, inputs: node.inputs.map((name) => renamed.get(name) ?? name) }));
}

function readersByName(nodes: readonly GraphNode[]): (name: string) => readonly GraphNode[] {
  const readers = new Map<string, GraphNode[]>();
  for (const node of nodes) {
    for (const name of new Set(node.inputs)) {
      const found = readers.get(name);
      if (found) found.push(node);
      else readers.set(name, [node]);
    }
  }
  return (name) => readers.get(name) ?? [];
}

/** The margins of a `Pad` of zeros whose sizes are known; null for any other node. */
function marginsOf(node: GraphNode, { constants }: Graph): Margins | null {
  const { operator, domain, inputs, attributes } = node;
  if (operator !== "Pad" || domain !== "") return null;
  const constant = (index: number): GraphConstant | undefined => constants.get(inputs[index] ?? "");
  const pads = Array.from(constant(1)?.values ?? [attributes["pads"] ?? []].flat(), Number);
  const value = constant(2)?.values[0] ?? attributes["value"] ?? 0;
  const isOfZeros = (attributes["mode"] ?? "constant") === "constant" && value === 0;
  const isKnown = pads.length > 0 && pads.every((pad) => pad >= 0);
  if (!isOfZeros || !isKnown || inputs[3]) return null;
  const rank = pads.length / 2;
  return { before: pads.slice(0, rank), after: pads.slice(rank) };
}

function transposed({ before, after }: Margins, { attributes }: GraphNode): Margins | null {
  const axes = attributes["perm"];
  if (!Array.isArray(axes)) return null;
  const moved = (margin: readonly number[]) => axes.map((axis) => margin[Number(axis)] ?? 0);
  return { before: moved(before), after: moved(after) };
}

/** The convolution with these zeros around its input; null where they are not around pixels alone. */
function withMargins(node: GraphNode, { before, after }: Margins): GraphNode | null {
  const { operator, domain, attributes } = node;
  const autoPad = attributes["auto_pad"] ?? "NOTSET";
  if (operator !== "Conv" || domain !== "" || (autoPad !== "NOTSET" && autoPad !== "VALID"))
    return null;
  const outer = [before[0], before[1], after[0], after[1]];
  if (outer.some((margin) => margin !== 0)) return null;
  const margins = [...before.slice(2), ...after.slice(2)];
  const own = autoPad === "NOTSET" ? attributes["pads"] : undefined;
  const pads = margins.map((margin, at) => margin + Number(Array.isArray(own) ? own[at] : 0));
  return { ...node, attributes: { ...attributes, auto_pad: "NOTSET", pads } };
}
