import type { Attribute, Graph, GraphConstant, GraphNode } from "@/compiler";
import { randomFrom } from "@/compiler/random";

/** Builds graphs of feature maps, with weights by seed, one operator after the other. */
export interface MapGraphBuilder {
  /** The input's name. */
  readonly input: string;
  /** Adds a node with weights or other constants of these shapes. @returns The name of its result. */
  add(
    operator: string,
    inputs: readonly string[],
    options?: {
      readonly attributes?: Readonly<Record<string, Attribute>>;
      /** Shapes of random constants behind the inputs, and how large they are. */
      readonly weights?: readonly (readonly number[])[];
      readonly positive?: boolean;
      readonly constants?: readonly (readonly number[])[];
    },
  ): string;
  conv(
    from: string,
    shape: readonly number[],
    attributes?: Readonly<Record<string, Attribute>>,
  ): string;
  relu(from: string): string;
  /** Flattens, and multiplies. */
  dense(from: string, inputs: number, outputs: number): string;
  finish(output: string, shape: readonly number[]): Graph;
}

/** @param shape Of the input, with the batch. */
export function mapGraph(shape: readonly number[], seed = 1): MapGraphBuilder {
  const random = randomFrom(seed);
  const constants = new Map<string, GraphConstant>();
  const nodes: GraphNode[] = [];
  const constant = (sizes: readonly number[], values: Float64Array): string => {
    const name = `constant_${constants.size}`;
    constants.set(name, { name, datatype: "FP32", shape: sizes, values });
    return name;
  };
  const add: MapGraphBuilder["add"] = (operator, inputs, options = {}) => {
    const { attributes = {}, weights = [], constants: given = [], positive = false } = options;
    const name = `${operator.toLowerCase()}_${nodes.length}`;
    const drawn = weights.map((sizes) => {
      const count = sizes.reduce((product, size) => product * size, 1);
      const perOutput = count / (sizes[0] ?? 1);
      const scale = sizes.length === 1 ? 0.3 : 1.4 / Math.sqrt(perOutput);
      const draw = () => Math.fround(scale * random.normal());
      return constant(
        sizes,
        Float64Array.from({ length: count }, () => (positive ? 0.2 + Math.abs(draw()) : draw())),
      );
    });
    const lists = given.map((values) => constant([values.length], Float64Array.from(values)));
    nodes.push({
      name,
      operator,
      domain: "",
      inputs: [...inputs, ...drawn, ...lists],
      outputs: [name],
      attributes,
    });
    return name;
  };
  return {
    input: "image",
    add,
    conv: (from, weights, attributes = {}) =>
      add("Conv", [from], {
        attributes: { kernel_shape: weights.slice(2), ...attributes },
        weights: [weights, [weights[0] ?? 1]],
      }),
    relu: (from) => add("Relu", [from]),
    dense: (from, inputs, outputs) =>
      add("Gemm", [add("Flatten", [from], { attributes: { axis: 1 } })], {
        attributes: { transB: 1 },
        weights: [[outputs, inputs], [outputs]],
      }),
    finish: (output, sizes) => ({
      inputs: [{ name: "image", datatype: "FP32", shape }],
      outputs: [{ name: output, datatype: "FP32", shape: sizes }],
      nodes,
      constants,
      shapes: new Map(),
      opset: 17,
    }),
  };
}

/** The nets of the sizing tables: conv 3×3, pool, conv 3×3, pool, dense 10 over images of 28 × 28. */
export function imageNet([first, second]: readonly [number, number], seed = 7): Graph {
  const net = mapGraph([-1, 28, 28, 1], seed);
  const pool = { attributes: { kernel_shape: [2, 2], strides: [2, 2] } };
  const image = net.add("Transpose", [net.input], { attributes: { perm: [0, 3, 1, 2] } });
  const one = net.add("MaxPool", [net.relu(net.conv(image, [first, 1, 3, 3]))], pool);
  const two = net.add("MaxPool", [net.relu(net.conv(one, [second, first, 3, 3]))], pool);
  return net.finish(net.dense(two, 25 * second, 10), [-1, 10]);
}
