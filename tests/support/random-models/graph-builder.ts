import type { Attribute, Graph, GraphConstant, GraphNode } from "@/compiler/graph/graph";
import type { TensorSpec } from "@/lib/common/tensor";

type Attributes = Readonly<Record<string, Attribute>>;

/** Collects nodes and constants of a graph, each under a name of its own. */
export class GraphBuilder {
  readonly #nodes: GraphNode[] = [];
  readonly #constants = new Map<string, GraphConstant>();

  constant(shape: readonly number[], values: ArrayLike<number>, datatype = "FP32"): string {
    const name = `c${this.#constants.size}`;
    this.#constants.set(name, { name, datatype, shape, values: Float64Array.from(values) });
    return name;
  }

  /** @returns The name of its one result. */
  node(operator: string, inputs: readonly string[], attributes: Attributes = {}, domain = "") {
    const [output = ""] = this.nodes(operator, inputs, 1, attributes, domain);
    return output;
  }

  /** @returns The names of its results. */
  nodes(
    operator: string,
    inputs: readonly string[],
    results: number,
    attributes: Attributes = {},
    domain = "",
  ): string[] {
    const name = `n${this.#nodes.length}_${operator}`;
    const outputs = Array.from({ length: results }, (_, index) => `${name}:${index}`);
    this.#nodes.push({ name, operator, domain, inputs, outputs, attributes });
    return outputs;
  }

  graph(inputs: readonly TensorSpec[], outputs: readonly TensorSpec[], opset = 17): Graph {
    return {
      inputs,
      outputs,
      nodes: this.#nodes,
      constants: this.#constants,
      shapes: new Map(),
      opset,
    };
  }
}
