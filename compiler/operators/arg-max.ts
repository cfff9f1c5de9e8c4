import type { RealTensor } from "../graph/real-tensor";
import { refuse } from "../graph/refuse";
import { afterHead, type Head, type HeadView } from "../model/head";
import { along } from "./along";
import {
  axisOf,
  type Evaluation,
  numberOf,
  type Operator,
  type Shape,
  type ShapeView,
} from "./operator";

function shape({ node, shapes: [own] }: ShapeView): Shape {
  if (own === undefined) return undefined;
  const at = axisOf(node, own.length, 0);
  if (numberOf(node, "keepdims", 1) === 0) return own.filter((_, index) => index !== at);
  return own.map((dimension, index) => (index === at ? 1 : dimension));
}

function evaluate({ node, input }: Evaluation): RealTensor {
  const { shape: own, values } = input(0);
  const axis = axisOf(node, own.length, 0);
  const { outer, length, inner } = along(own, axis);
  const takesLast = numberOf(node, "select_last_index", 0) === 1;
  const result = new Float64Array(outer * inner);
  for (let line = 0; line < result.length; line += 1) {
    const start = Math.floor(line / inner) * length * inner + (line % inner);
    let best = 0;
    for (let step = 1; step < length; step += 1) {
      const value = values[start + step * inner] ?? 0;
      const most = values[start + best * inner] ?? 0;
      if (value > most || (takesLast && value === most)) best = step;
    }
    result[line] = best;
  }
  const keeps = numberOf(node, "keepdims", 1) === 1;
  const kept = own.map((dimension, index) => (index === axis ? 1 : dimension));
  return { shape: keeps ? kept : own.filter((_, index) => index !== axis), values: result };
}

/** The largest score stays the largest whatever was made of the scores. */
function head(view: HeadView): Head {
  const { node, head: before, shape: own } = view;
  const axis = numberOf(node, "axis", 0);
  if (own.length !== 1 || (axis !== 1 && axis !== -1)) {
    throw refuse(node, `over axis ${axis} of [batch, ${own.join(", ")}]`);
  }
  if (numberOf(node, "select_last_index", 0) === 1) {
    throw refuse(node, "selects the last of equals");
  }
  if (before.kind === "complement" || before.activation === "argmax") throw afterHead(view);
  return { ...before, activation: "argmax" };
}

export const argMax: Operator = { shape, evaluate, beginsHead: true, head };
export const argMin: Operator = { shape };
