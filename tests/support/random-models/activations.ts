import type { Attribute } from "@/compiler/graph/graph";
import { type Draw, drawFrom } from "./draw";
import type { GraphBuilder } from "./graph-builder";

type Function = readonly [operator: string, attributes?: Readonly<Record<string, Attribute>>];

/** Functions of single values that opset 17 has, with some of their attributes away from the defaults. */
const functions: readonly Function[] = [
  ["Relu"],
  ["Sigmoid"],
  ["Tanh"],
  ["LeakyRelu", { alpha: 0.1 }],
  ["LeakyRelu", { alpha: 1.5 }],
  ["Elu", { alpha: 0.7 }],
  ["Celu", { alpha: 0.5 }],
  ["Selu"],
  ["Softplus"],
  ["Softsign"],
  ["HardSigmoid", { alpha: 0.25, beta: 0.4 }],
  ["HardSwish"],
  ["ThresholdedRelu", { alpha: 0.5 }],
  ["Shrink", { bias: 0.25, lambd: 0.75 }],
  ["Erf"],
  ["Exp"],
  ["Abs"],
  ["Neg"],
  ["Sin"],
  ["Cos"],
  ["Atan"],
  ["Log"],
  ["Sqrt"],
  ["Reciprocal"],
  ["Identity"],
  ["Dropout"],
];

/** Formulas that read a value twice, or with a number beside it. */
const formulas: Readonly<Record<string, (builder: GraphBuilder, value: string) => string>> = {
  Relu6: (builder, value) =>
    builder.node("Clip", [value, builder.constant([], [0]), builder.constant([], [6])]),
  Clip: (builder, value) =>
    builder.node("Clip", [value, builder.constant([], [-0.5]), builder.constant([], [0.25])]),
  SiLU: (builder, value) => builder.node("Mul", [value, builder.node("Sigmoid", [value])]),
  Square: (builder, value) => builder.node("Mul", [value, value]),
  Gelu: (builder, value) => {
    const scaled = builder.node("Div", [value, builder.constant([], [Math.SQRT2])]);
    const sum = builder.node("Add", [builder.node("Erf", [scaled]), builder.constant([], [1])]);
    const product = builder.node("Mul", [value, sum]);
    return builder.node("Mul", [product, builder.constant([], [0.5])]);
  },
  MaxZero: (builder, value) => builder.node("Max", [value, builder.constant([], [0])]),
  MinOne: (builder, value) => builder.node("Min", [value, builder.constant([], [1])]),
  PRelu: (builder, value) => builder.node("PRelu", [value, builder.constant([1], [0.2])]),
  ReluTanh: (builder, value) => builder.node("Tanh", [builder.node("Relu", [value])]),
};

/**
 * A function of each value.
 *
 * @param same Seed of the function that all layers have; null draws one for this layer.
 */
export function drawActivation(
  draw: Draw,
  builder: GraphBuilder,
  value: string,
  same: number | null = null,
): { readonly name: string; readonly value: string } {
  const from = same === null ? draw : drawFrom(same);
  if (from.chance(0.35)) return { name: "Relu", value: builder.node("Relu", [value]) };
  if (from.chance(0.25)) {
    const name = from.pick(Object.keys(formulas));
    return { name, value: formulas[name]?.(builder, value) ?? value };
  }
  const [name, attributes = {}] = from.pick(functions);
  return { name, value: builder.node(name, [value], attributes) };
}
