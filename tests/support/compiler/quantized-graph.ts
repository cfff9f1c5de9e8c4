import type { Graph, GraphConstant, GraphNode } from "@/compiler/graph/graph";
import { randomFrom } from "@/compiler/random";

/** Where values of a quantised model stop: type, zero point, and the exponent of the scale `2^-fraction`. */
export interface Stop {
  readonly type: "UINT8" | "INT8";
  readonly zero: number;
  readonly fraction: number;
  /** Of QONNX's grids; left out: 8. */
  readonly bits?: number;
}

export interface QuantizedNet {
  readonly sizes: readonly number[];
  readonly input: Stop;
  /** After every layer; null leaves the last one's sums as they are. */
  readonly stops: readonly (Stop | null)[];
  /** Functions before each stop, or between two of them: `Relu`, or `Tanh` with a stop before it. */
  readonly between?: readonly (string | null)[];
  /** Zero points of weights, the same for every channel. */
  readonly weightZero?: number;
  readonly perChannel?: boolean;
  /** Biases as plain floats, on no grid of the sums. */
  readonly floatBias?: boolean;
  readonly seed?: number;
}

/** A net of quantised layers as QuantizeLinear and DequantizeLinear spell it, with seeded weights. */
export function quantizedGraph(net: QuantizedNet): Graph {
  const { sizes, input, stops, between = [], weightZero = 0, perChannel = true } = net;
  const random = randomFrom(net.seed ?? 4);
  const constants = new Map<string, GraphConstant>();
  const nodes: GraphNode[] = [];
  const constant = (name: string, datatype: string, shape: number[], values: number[]): string => {
    constants.set(name, { name, datatype, shape, values: Float64Array.from(values) });
    return name;
  };
  const node = (operator: string, inputs: string[], attributes = {}): string => {
    const name = `${operator.toLowerCase()}_${nodes.length}`;
    nodes.push({ name, operator, domain: "", inputs, outputs: [`${name}_out`], attributes });
    return `${name}_out`;
  };
  const stop = (value: string, { type, zero, fraction }: Stop): string => {
    const at = nodes.length;
    const grid = [
      constant(`scale_${at}`, "FP32", [], [2 ** -fraction]),
      constant(`zero_${at}`, type, [], [zero]),
    ];
    return node("DequantizeLinear", [node("QuantizeLinear", [value, ...grid]), ...grid]);
  };
  let value = stop("x", input);
  let fraction = input.fraction;
  for (const [layer, size] of sizes.slice(1).entries()) {
    const inputs = sizes[layer] ?? 1;
    const fractions = Array.from({ length: size }, () => (perChannel ? random.integer(5, 8) : 6));
    const scales = perChannel ? fractions : fractions.slice(0, 1);
    const shape = perChannel ? [size] : [];
    const weights = node(
      "DequantizeLinear",
      [
        constant(
          `w${layer}`,
          "INT8",
          [inputs, size],
          Array.from({ length: inputs * size }, () => random.integer(-127, 127)),
        ),
        constant(
          `ws${layer}`,
          "FP32",
          shape,
          scales.map((each) => 2 ** -each),
        ),
        constant(
          `wz${layer}`,
          "INT8",
          shape,
          scales.map(() => weightZero),
        ),
      ],
      { axis: 1 },
    );
    value = node("MatMul", [value, weights]);
    const sums = fractions.map((each) => each + fraction);
    const bias = net.floatBias
      ? constant(
          `b${layer}`,
          "FP32",
          [size],
          sums.map(() => Math.fround(random.normal())),
        )
      : node(
          "DequantizeLinear",
          [
            constant(
              `b${layer}`,
              "INT32",
              [size],
              sums.map(() => random.integer(-4000, 4000)),
            ),
            constant(
              `bs${layer}`,
              "FP32",
              [size],
              sums.map((each) => 2 ** -each),
            ),
          ],
          { axis: 0 },
        );
    value = node("Add", [value, bias]);
    const step = stops[layer] ?? null;
    const operator = between[layer] ?? null;
    if (operator !== null && operator !== "Relu" && step)
      value = stop(value, { ...step, type: "INT8", zero: 0 });
    if (operator !== null) value = node(operator, [value]);
    if (step) {
      value = stop(value, step);
      fraction = step.fraction;
    }
  }
  return {
    inputs: [{ name: "x", datatype: "FP32", shape: [-1, sizes[0] ?? 1] }],
    outputs: [{ name: value, datatype: "FP32", shape: [-1, sizes.at(-1) ?? 1] }],
    nodes,
    constants,
    shapes: new Map(),
    opset: 17,
  };
}
