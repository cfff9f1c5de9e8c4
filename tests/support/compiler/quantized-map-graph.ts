import type { Attribute, Graph, GraphConstant, GraphNode } from "@/compiler/graph/graph";
import { randomFrom } from "@/compiler/random";
import type { Stop } from "./quantized-graph";

/** Builds quantised graphs of feature maps, as QuantizeLinear and DequantizeLinear or QONNX's Quant spell them. */
export interface QuantizedMapGraphBuilder {
  readonly input: string;
  add(operator: string, inputs: readonly string[], attributes?: GraphNode["attributes"]): string;
  /** Puts values onto a grid. */
  stop(value: string, stop: Stop): string;
  /** Weights of 8 bits with a scale for each output, and biases on the grid of the sums unless they are floats. */
  conv(
    value: string,
    shape: readonly number[],
    options: {
      readonly fraction: number;
      readonly attributes?: Readonly<Record<string, Attribute>>;
      readonly floatBias?: boolean;
    },
  ): string;
  finish(output: string, shape: readonly number[]): Graph;
  /** With inputs and outputs by name, each with the shape of a row. */
  finishWith(
    inputs: Readonly<Record<string, readonly number[]>>,
    outputs: Readonly<Record<string, readonly number[]>>,
  ): Graph;
}

/** @param spelling Of the quantisers. */
export function quantizedMapGraph(
  shape: readonly number[],
  {
    seed = 1,
    spelling = "onnx",
  }: { readonly seed?: number; readonly spelling?: "onnx" | "qonnx" } = {},
): QuantizedMapGraphBuilder {
  const random = randomFrom(seed);
  const constants = new Map<string, GraphConstant>();
  const nodes: GraphNode[] = [];
  const constant = (
    datatype: string,
    sizes: readonly number[],
    values: readonly number[],
  ): string => {
    const name = `constant_${constants.size}`;
    constants.set(name, { name, datatype, shape: sizes, values: Float64Array.from(values) });
    return name;
  };
  const put = (operator: string, domain: string, inputs: readonly string[], attributes = {}) => {
    const name = `${operator.toLowerCase()}_${nodes.length}`;
    nodes.push({ name, operator, domain, inputs, outputs: [name], attributes });
    return name;
  };
  const add: QuantizedMapGraphBuilder["add"] = (operator, inputs, attributes = {}) =>
    put(operator, "", inputs, attributes);
  const quant = (
    value: string,
    scales: string,
    { bits, signed }: { bits: number; signed: 0 | 1 },
  ) =>
    put(
      "Quant",
      "qonnx.custom_op.general",
      [value, scales, constant("FP32", [], [0]), constant("FP32", [], [bits])],
      { signed, narrow: 0, rounding_mode: "ROUND" },
    );
  const rest = { nodes, constants, shapes: new Map(), opset: 17 };
  const spec = ([name, sizes]: [string, readonly number[]]) =>
    ({ name, datatype: "FP32", shape: [-1, ...sizes] }) as const;
  return {
    input: "image",
    add,
    stop: (value, { type, zero, fraction, bits = 8 }) => {
      const scale = constant("FP32", [], [2 ** -fraction]);
      if (spelling === "qonnx") {
        return quant(value, scale, { bits, signed: type === "INT8" ? 1 : 0 });
      }
      const grid = [scale, constant(type, [], [zero])];
      return add("DequantizeLinear", [add("QuantizeLinear", [value, ...grid]), ...grid]);
    },
    conv: (value, sizes, { fraction, attributes = {}, floatBias = false }) => {
      const [outputs = 1] = sizes;
      const count = sizes.reduce((product, size) => product * size, 1);
      const fractions = Array.from({ length: outputs }, () => random.integer(6, 8));
      const steps = Array.from({ length: count }, () => random.integer(-127, 127));
      const scales = fractions.map((each) => 2 ** -each);
      const isMatrix = sizes.length === 2;
      const perOutput = [outputs, ...sizes.slice(1).map(() => 1)];
      const weights =
        spelling === "qonnx"
          ? quant(
              constant(
                "FP32",
                sizes,
                steps.map((step, at) => step * (scales[Math.floor(at / (count / outputs))] ?? 1)),
              ),
              constant("FP32", perOutput, scales),
              { bits: 8, signed: 1 },
            )
          : add(
              "DequantizeLinear",
              [
                constant("INT8", sizes, steps),
                constant("FP32", [outputs], scales),
                constant(
                  "INT8",
                  [outputs],
                  scales.map(() => 0),
                ),
              ],
              { axis: 0 },
            );
      const sums = fractions.map((each) => each + fraction);
      const bias = constant(
        "FP32",
        [outputs],
        sums.map((each) =>
          floatBias ? Math.fround(random.normal()) : random.integer(-4000, 4000) * 2 ** -each,
        ),
      );
      return isMatrix
        ? add("Gemm", [value, weights, bias], { transB: 1 })
        : add("Conv", [value, weights, bias], { kernel_shape: sizes.slice(2), ...attributes });
    },
    finish: (output, sizes) => ({
      inputs: [{ name: "image", datatype: "FP32", shape }],
      outputs: [{ name: output, datatype: "FP32", shape: sizes }],
      ...rest,
    }),
    finishWith: (inputs, outputs) => ({
      inputs: Object.entries(inputs).map(spec),
      outputs: Object.entries(outputs).map(spec),
      ...rest,
    }),
  };
}
