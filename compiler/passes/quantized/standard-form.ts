import type { Graph, GraphConstant, GraphNode } from "../../graph/graph";
import { isQonnxQuant, quantizerOf } from "../../model/quantizer";

const rounders = { "half-even": "Round", floor: "Floor", ceil: "Ceil" } as const;

/**
 * A QONNX graph in standard operators, which ONNX Runtime knows: `Quant` is a division, a rounding, two bounds and a
 * multiplication.
 *
 * @throws {AppError} `QUANTIZER_INVALID` as `quantizerOf`.
 */
export function standardForm(graph: Graph): Graph {
  const constants = new Map(graph.constants);
  const nodes = graph.nodes.flatMap((node) =>
    isQonnxQuant(node) ? quantAsOperators(node, constants) : [node],
  );
  const used = new Set(nodes.flatMap(({ inputs }) => inputs));
  return {
    ...graph,
    nodes,
    constants: new Map([...constants].filter(([name]) => used.has(name))),
  };
}

function quantAsOperators(node: GraphNode, constants: Map<string, GraphConstant>): GraphNode[] {
  const quantizer = quantizerOf(node, (index) => constants.get(node.inputs[index] ?? "") ?? null);
  const channels = Math.max(quantizer.scales.length, quantizer.min.length);
  const scale = constants.get(node.inputs[1] ?? "");
  const zero = constants.get(node.inputs[2] ?? "");
  const shape = (channels === scale?.values.length ? scale : zero)?.shape ?? [];
  const perChannel = (name: string, values: readonly number[]): string => {
    const all = Float64Array.from({ length: channels }, (_, at) => values[at % values.length] ?? 0);
    constants.set(name, {
      name,
      datatype: "FP32",
      shape: channels === 1 ? [] : shape,
      values: all,
    });
    return name;
  };
  const names = {
    scale: perChannel(`${node.name}/scale`, quantizer.scales),
    min: perChannel(`${node.name}/min`, quantizer.min),
    max: perChannel(`${node.name}/max`, quantizer.max),
  };
  // Bounds count from zero, so that the zero point is nowhere needed.
  const steps: readonly [string, ...string[]][] = [
    ["Div", names.scale],
    [rounders[quantizer.rounding]],
    ["Max", names.min],
    ["Min", names.max],
    ["Mul", names.scale],
  ];
  return steps.map(([operator, ...operands], index) => ({
    name: `${node.name}/${operator.toLowerCase()}`,
    operator,
    domain: "",
    inputs: [index === 0 ? (node.inputs[0] ?? "") : `${node.name}/value_${index}`, ...operands],
    outputs: [
      index === steps.length - 1 ? (node.outputs[0] ?? "") : `${node.name}/value_${index + 1}`,
    ],
    attributes: {},
  }));
}
