import { fail } from "@/lib/common/errors";
import type { RealTensor } from "../graph/real-tensor";
import { refuse } from "../graph/refuse";
import { quoted, shapeInWords } from "../graph/words";
import { reshapedHead } from "../model/head";
import type { NodeView } from "../model/maps/chain";
import { dimensionsBefore, reshaped, type Value } from "../model/maps/value";
import {
  type Evaluation,
  numberOf,
  type Operator,
  type Shape,
  type ShapeView,
  sizeOf,
} from "./operator";
import { tornRows } from "./torn-rows";

/** More dimensions than any model has. */
const mostDimensions = 16;

const isDimension = (size: number) => Number.isSafeInteger(size) && size >= -1;

function shape({ node, shapes: [own], constant }: ShapeView): Shape {
  const attribute = node.attributes["shape"];
  const target = constant(1)?.values ?? (Array.isArray(attribute) ? attribute : undefined);
  if (target === undefined) return undefined;
  if (target.length > mostDimensions || [...target].some((size) => !isDimension(size))) {
    throw fail("MODEL_SHAPE_INVALID", `Node ${quoted(node.name)} reshapes to an impossible shape.`);
  }
  const allowZero = numberOf(node, "allowzero", 0) === 1;
  const wanted = [...target].map((dimension, index) =>
    dimension === 0 && !allowZero ? (own?.[index] ?? -1) : dimension,
  );
  // With a free batch in front that stays in front, the rest must still hold the same number of elements.
  if (own === undefined || own.some((size) => size < 0)) return wanted;
  const total = sizeOf(own);
  const others = sizeOf(wanted.filter((dimension) => dimension >= 0));
  const free = wanted.filter((dimension) => dimension < 0).length;
  if (free > 1) return wanted;
  if (free === 0 ? others !== total : others === 0 || total % others !== 0) {
    throw fail(
      "MODEL_SHAPE_INVALID",
      `Node ${quoted(node.name)} reshapes ${total} elements to ${shapeInWords(wanted)}.`,
    );
  }
  return wanted.map((dimension) => (dimension < 0 ? total / others : dimension));
}

function evaluate({ node, input, optional }: Evaluation): RealTensor {
  const { shape: own, values } = input(0);
  const attribute = node.attributes["shape"];
  const target = [...(optional(1)?.values ?? (Array.isArray(attribute) ? attribute : []))];
  const keepsZero = numberOf(node, "allowzero", 0) === 1;
  const settled = target.map((dimension, axis) =>
    dimension === 0 && !keepsZero ? (own[axis] ?? 0) : dimension,
  );
  const others = sizeOf(settled.filter((dimension) => dimension >= 0));
  const wanted = settled.map((dimension) => (dimension < 0 ? values.length / others : dimension));
  if (sizeOf(wanted) !== values.length) {
    throw fail(
      "MODEL_SHAPE_INVALID",
      `Node \`${node.name}\` cannot reshape [${own.join(", ")}] to [${target.join(", ")}].`,
    );
  }
  return { shape: wanted, values };
}

function read({ node, chain, value, list }: NodeView): Value {
  const own = value(0);
  const target = list(1);
  if (!target) throw refuse(node, "needs a constant shape");
  const keepsZero = numberOf(node, "allowzero", 0) === 1;
  const before = dimensionsBefore(own);
  const [first = -1, ...inner] = target.map((size, axis) => {
    if (size !== 0 || keepsZero) return size;
    return axis < before ? chain.batch : (own.shape[axis - before] ?? 0);
  });
  const total = sizeOf(own.shape);
  const known = sizeOf(inner.filter((size) => size !== -1));
  const rows = rowsInFirst(first, chain.batch) ?? (inner.includes(-1) ? 1 : total / known);
  const settled = inner.map((size) => (size === -1 ? total / known / rows : size));
  const isWhole = [rows, ...settled].every((size) => Number.isInteger(size) && size > 0);
  if (!isWhole || rows * sizeOf(settled) !== total) {
    throw tornRows(node, `to [${target.join(", ")}]`);
  }
  return rows === 1
    ? reshaped(own, settled)
    : { ...reshaped(own, [rows, ...settled]), joinsBatch: true };
}

/**
 * How many rows of each row of the batch a first dimension has: of a free batch, −1, twice as many are written −2.
 *
 * @returns Null where that follows from the other dimensions.
 */
function rowsInFirst(first: number, batch: number): number | null {
  if (first === -1) return null;
  return first / batch;
}

export const reshape: Operator = {
  shape,
  evaluate,
  folds: true,
  read,
  takesJoinedRows: true,
  head: reshapedHead,
};
