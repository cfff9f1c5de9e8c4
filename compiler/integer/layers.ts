import type { DenseNode, IntegerGraph, RequantizeNode, TableNode } from "./integer-graph";

/** A dense node, the requantisation after it, and the table after that, if there is one. */
export interface Layer {
  readonly dense: DenseNode;
  readonly requantize: RequantizeNode;
  readonly table: TableNode | null;
}

const layerOps: ReadonlySet<string> = new Set(["dense", "requantize", "table"]);

/** Whether an integer graph is made of such layers. */
export const hasLayersOnly = ({ nodes }: IntegerGraph): boolean =>
  nodes.every(({ op }) => layerOps.has(op));

/** The nodes of an integer graph as layers. @throws {RangeError} when they do not follow each other so. */
export function layersOf({ nodes }: IntegerGraph): Layer[] {
  const layers: Layer[] = [];
  let index = 0;
  while (index < nodes.length) {
    const [dense, requantize, next] = nodes.slice(index, index + 3);
    if (dense?.op !== "dense" || requantize?.op !== "requantize") {
      throw new RangeError("An integer graph has dense, requantize and table nodes in turn.");
    }
    const table = next?.op === "table" ? next : null;
    layers.push({ dense, requantize, table });
    index += table ? 3 : 2;
  }
  return layers;
}
