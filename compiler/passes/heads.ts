import type { Graph, GraphNode } from "../graph/graph";
import { refuse } from "../graph/refuse";
import type { NetworkOutput } from "../model/dense-network";

/**
 * What the host makes of the last scores: `complement` is one minus a probability, `pair` that and the probability side
 * by side, as classifiers of two classes with one score end.
 */
export interface Head {
  readonly activation: NetworkOutput["activation"];
  readonly kind: "plain" | "complement" | "pair";
  /** What the largest score stands for, where a model says it; null: its place. */
  readonly classes: readonly number[] | null;
}

export const plainHead = (activation: Head["activation"]): Head => ({
  activation,
  kind: "plain",
  classes: null,
});

interface Context {
  readonly graph: Graph;
  readonly node: GraphNode;
  readonly head: Head;
  readonly heads: ReadonlyMap<string, Head>;
}

/** Element types of ONNX that hold a float: 1 float, 10 float16, 11 double, 16 bfloat16. */
const floatTypes: readonly unknown[] = [1, 10, 11, 16];

const links: Readonly<Record<string, (context: Context) => Head>> = {
  Identity: ({ head }) => head,
  Cast: (context) => {
    const { node, head } = context;
    if (head.activation === "argmax" || floatTypes.includes(node.attributes["to"] ?? 1))
      return head;
    throw refuse(node, "to an integer type rounds values");
  },
  Reshape: onlyShapes,
  Squeeze: onlyShapes,
  Unsqueeze: onlyShapes,
  Flatten: onlyShapes,
  ArgMax: (context) => {
    const { node, head } = context;
    const axis = node.attributes["axis"] ?? 0;
    const isLast = axis === 1 || axis === -1;
    if (!isLast || node.attributes["select_last_index"] === 1 || head.kind === "complement") {
      throw refuse(node, "is taken over the classes only, the first of equals");
    }
    if (head.activation === "argmax") throw after(context);
    // The largest score stays the largest.
    return { ...head, activation: "argmax" };
  },
  ArrayFeatureExtractor: classNames,
  Gather: classNames,
  Sub: (context) => {
    const { graph, node, head } = context;
    const one = graph.constants.get(node.inputs[0] ?? "")?.values ?? [];
    if (head.activation !== "sigmoid" || head.kind !== "plain" || one[0] !== 1 || one.length !== 1)
      throw after(context);
    return { ...head, kind: "complement" };
  },
  Concat: (context) => {
    const { node, heads } = context;
    const [first, second, ...more] = node.inputs.map((name) => heads.get(name));
    const axis = node.attributes["axis"];
    const isPair =
      first?.kind === "complement" && second?.kind === "plain" && second.activation === "sigmoid";
    if (!isPair || more.length > 0 || (axis !== 1 && axis !== -1)) throw after(context);
    return { activation: "softmax", kind: "pair", classes: null };
  },
};

/** Operators that may follow the scores. */
export const isHeadOperator = (operator: string): boolean => Object.hasOwn(links, operator);

/**
 * What a node makes of a head.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED`
 */
export function followHead(context: Context): Head {
  const { node, head } = context;
  const link = isHeadOperator(node.operator) ? links[node.operator] : undefined;
  if (link) return link(context);
  throw refuse(node, `comes after the model's ${head.activation}`);
}

const after = ({ node, head }: Context) =>
  refuse(node, `comes after the model's ${head.activation}`);

/** Labels are one number a row, whatever dimensions of 1 stand around them. */
function onlyShapes(context: Context): Head {
  if (context.head.activation === "argmax") return context.head;
  throw after(context);
}

/** The class that the place of the largest score stands for. */
function classNames(context: Context): Head {
  const { graph, node, head, heads } = context;
  const constant = graph.constants.get(node.inputs[0] ?? "");
  const picks = heads.get(node.inputs[1] ?? "") === head && head.activation === "argmax";
  if (!picks || (node.attributes["axis"] ?? 0) !== 0) throw after(context);
  const classes = Array.from(constant?.values ?? []);
  if (classes.length === 0 || !classes.every(Number.isSafeInteger)) {
    throw refuse(node, "gives classes that are no integers; FPGA boards answer numbers");
  }
  if (head.classes) throw after(context);
  return { ...head, classes };
}
