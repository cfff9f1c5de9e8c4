import type { GraphNode } from "../graph/graph";
import { refuse } from "../graph/refuse";
import { afterHead } from "../model/head";
import {
  append,
  appendCopy,
  type Chain,
  isOfInputs,
  mapOf,
  type NodeView,
  spread,
  wholeOf,
} from "../model/maps/chain";
import { copyLayer, plainView } from "../model/maps/layers";
import { likeRowsOf, type Value } from "../model/maps/value";
import { affine } from "./affine";
import { elementwise } from "./elementwise";
import type { Operator } from "./operator";

interface Part {
  readonly factor: number;
  readonly offset: number;
}

/** What an operator with a constant does to the other operand. */
const parts: Readonly<Record<string, (constant: number, isFirst: boolean) => Part>> = {
  Add: (offset) => ({ factor: 1, offset }),
  Sub: (constant, isFirst) =>
    isFirst ? { factor: -1, offset: constant } : { factor: 1, offset: -constant },
  Mul: (factor) => ({ factor, offset: 0 }),
  Div: (constant) => ({ factor: 1 / constant, offset: 0 }),
};

/** One operator with a constant, as factor and offset of each value; `Add` of two computed values too. */
function read(view: NodeView): Value {
  const { node, constant, value } = view;
  const place = constant(1) ? 0 : 1;
  const operand = constant(1 - place);
  if (!operand) return ofTwoValues(view);
  if (node.operator === "Div" && place === 1) throw refuse(node, "divides by a computed value");
  const own = value(place);
  const part = parts[node.operator];
  if (!part) throw refuse(node);
  const each = Array.from(spread(node, operand, own), (constant) => part(constant, place === 1));
  const factor = Float64Array.from(each, (one) => one.factor);
  if (!factor.every(Number.isFinite)) throw refuse(node, "divides by zero");
  return affine(view, own, { factor, offset: Float64Array.from(each, (one) => one.offset) });
}

function ofTwoValues(view: NodeView): Value {
  const { node, chain, value } = view;
  if (node.operator !== "Add") {
    throw refuse(node, "of two computed values is not taken on FPGA boards");
  }
  const [left, right] = alike(chain, value(0), value(1), node);
  const [a, b] = [mapOf(chain, left), mapOf(chain, right)];
  const isSame =
    left.joinsBatch === right.joinsBatch &&
    left.shape.length === right.shape.length &&
    left.shape.every((size, axis) => size === right.shape[axis]) &&
    a.channels === b.channels &&
    left.order.every((place, at) => place === right.order[at]);
  if (!isSame) {
    throw refuse(
      node,
      `adds [${left.shape.join(", ")}] and [${right.shape.join(", ")}], which do not lie alike`,
    );
  }
  const layer = append(chain, {
    kind: "add",
    name: node.name,
    from: [left.layer, right.layer],
    output: a,
    relu: false,
  });
  return { ...left, layer };
}

/** Both as maps of their own; the input, one long pixel, as a map like that of what it is added to. */
function alike(chain: Chain, left: Value, right: Value, node: GraphNode): [Value, Value] {
  const asMapOf = (value: Value, other: Value): Value => {
    const map = mapOf(chain, other);
    const isInput =
      isOfInputs(chain, value) && !isOfInputs(chain, other) && map.height * map.width > 1;
    const liesAlike = value.order.every(
      (place, at) => place - (value.order[0] ?? 0) === other.order[at],
    );
    if (!isInput || !liesAlike) return wholeOf(chain, value, node);
    const [first = 0] = value.order;
    const view = { ...plainView(map), ...(first === 0 ? {} : { first }) };
    const layer = appendCopy(chain, value, copyLayer(`${node.name}/input`, value.layer, view));
    return likeRowsOf(value, { layer, shape: value.shape, order: other.order });
  };
  return [asMapOf(left, right), asMapOf(right, left)];
}

const plain: Operator = { folds: true, read, takesJoinedRows: true };

export const add: Operator = { ...elementwise["Add"], ...plain };
export const mul: Operator = { ...elementwise["Mul"], ...plain };
export const div: Operator = { ...elementwise["Div"], ...plain };
export const sub: Operator = {
  ...elementwise["Sub"],
  ...plain,
  // One minus a probability: the first of two classes.
  head: (view) => {
    const { graph, node, head } = view;
    const one = graph.constants.get(node.inputs[0] ?? "")?.values ?? [];
    if (head.activation !== "sigmoid" || head.kind !== "plain" || one[0] !== 1 || one.length !== 1)
      throw afterHead(view);
    return { ...head, kind: "complement" };
  },
};
