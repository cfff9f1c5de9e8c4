import type { ProductNode } from "../../integer/integer-maps";
import { addressesOf, splitChannels } from "./addresses";
import { loop, type OutputGroup, type Sweep } from "./sweep";
import { type Context, commonOf, isSigned, numbered } from "./sweep-parts";

/**
 * A product of two maps: the left is read as any map is, the right lies in the weight memories, where an earlier sweep has
 * left it. Its rows follow each other as that sweep makes them: `(matrix · inner + c) · groups + group`.
 *
 * @param groups Of the sweep that loads the right: the columns that lie in one row.
 */
export function productSweep(
  node: ProductNode,
  context: Context,
  groups: readonly OutputGroup[],
): Sweep {
  const { graph, stage, storage } = context;
  const [left] = node.from;
  const { height: rows, width: matrices, channels: inner } = node.input;
  const view = addressesOf(node.input, storage.placeOf(left), node.name);
  const parts = groups.length;
  const shift = stage.requantize?.shift[0] ?? 0;
  const weightRows = matrices * inner * parts;
  return {
    ...commonOf(context),
    loops: {
      window: numbered(splitChannels(view, inner, node.name)).map((each) => ({
        ...each,
        row: each.row * parts,
      })),
      pool: [],
      group: [loop(parts, { row: 1, group: 1 })],
      pixel: [
        loop(matrices, { address: view.x, row: inner * parts }),
        loop(rows, { address: view.y }),
      ],
    },
    groups,
    start: { address: view.base, y: 0, x: 0 },
    edge: null,
    readsSigned: isSigned(graph, left),
    weightRows,
    rows: () => Array.from({ length: weightRows }, () => []),
    constants: groups.map(({ firstChannel, outputs }) =>
      Array.from({ length: outputs }, (_, lane) => ({
        bias: node.bias[firstChannel + lane] ?? 0,
        shift,
      })),
    ),
  };
}
