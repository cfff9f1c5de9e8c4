import type { Graph, GraphNode } from "../graph/graph";
import { refuse } from "../graph/refuse";
import type { NetworkOutput } from "./dense-network";

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

/** A node behind the scores. */
export interface HeadView {
  readonly graph: Graph;
  readonly node: GraphNode;
  /** What was made of the scores before; `none` of the scores themselves. */
  readonly head: Head;
  /** Shape of the scores, without the batch. */
  readonly shape: readonly number[];
  readonly heads: ReadonlyMap<string, Head>;
}

/** A head whose answer is the scores, after an activation. */
export const plainHead = (activation: Head["activation"]): Head => ({
  activation,
  kind: "plain",
  classes: null,
});

/** The refusal of a node that cannot follow what was made of the scores. */
export const afterHead = ({ node, head }: HeadView) =>
  refuse(
    node,
    `comes after the model's ${head.activation === "none" ? "scores" : head.activation}`,
  );

/** Labels are one number a row, whatever dimensions of 1 stand around them. */
export function reshapedHead(view: HeadView): Head {
  if (view.head.activation === "argmax") return view.head;
  throw afterHead(view);
}

/** A function of the scores: the first one that is taken of them. */
export function firstHead(view: HeadView, activation: Head["activation"]): Head {
  if (view.head.activation === "none") return { ...view.head, activation };
  throw afterHead(view);
}

/** The class that the place of the largest score stands for. */
export function classNames(view: HeadView): Head {
  const { graph, node, head, heads } = view;
  const constant = graph.constants.get(node.inputs[0] ?? "");
  const picks = heads.get(node.inputs[1] ?? "") === head && head.activation === "argmax";
  if (!picks || (node.attributes["axis"] ?? 0) !== 0) throw afterHead(view);
  const classes = Array.from(constant?.values ?? []);
  if (classes.length === 0 || !classes.every(Number.isSafeInteger)) {
    throw refuse(node, "gives classes that are no integers; FPGA boards answer numbers");
  }
  if (head.classes) throw afterHead(view);
  return { ...head, classes };
}
