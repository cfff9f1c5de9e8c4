import type { Graph, GraphConstant, GraphNode } from "../../graph/graph";
import type { Network, NetworkLayer } from "./read-network";

const input = "inputs";
const output = "outputs";

/** A network as operators: a `Gemm` for each layer, with `Relu` or `Softmax` behind it. Numbers are float32, as its tools read them. */
export function buildGraph({ inputs, layers }: Network): Graph {
  const nodes: GraphNode[] = [];
  const constants = new Map<string, GraphConstant>();
  const shapes = new Map<string, readonly number[]>([[input, [-1, inputs]]]);
  let value = input;
  for (const [index, layer] of layers.entries()) {
    const steps = stepsOf(layer);
    for (const [at, operator] of steps.entries()) {
      const isEnd = index === layers.length - 1 && at === steps.length - 1;
      const result = isEnd ? output : `layer_${index + 1}_${operator.toLowerCase()}`;
      const constant = (name: string, shape: readonly number[], values: Float64Array) => {
        const own = `layer_${index + 1}_${name}`;
        constants.set(own, { name: own, datatype: "FP32", shape, values: values.map(Math.fround) });
        return own;
      };
      const isGemm = operator === "Gemm";
      nodes.push({
        name: `layer_${index + 1}_${operator}`,
        operator,
        domain: "",
        inputs: isGemm
          ? [
              value,
              constant("weights", [layer.outputs, layer.inputs], layer.weights),
              constant("bias", [layer.outputs], layer.bias),
            ]
          : [value],
        outputs: [result],
        attributes: isGemm ? { transB: 1 } : operator === "Softmax" ? { axis: 1 } : {},
      });
      shapes.set(result, [-1, layer.outputs]);
      value = result;
    }
  }
  return {
    inputs: [{ name: input, datatype: "FP32", shape: [-1, inputs] }],
    outputs: [{ name: output, datatype: "FP32", shape: [-1, layers.at(-1)?.outputs ?? 0] }],
    nodes,
    constants,
    shapes,
    opset: 17,
  };
}

function stepsOf({ type }: NetworkLayer): readonly string[] {
  if (type === "softmax") return ["Softmax"];
  return type === "relu" ? ["Gemm", "Relu"] : ["Gemm"];
}
