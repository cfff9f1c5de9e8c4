import type { TensorSpec } from "@/lib/common/tensor";

/** A constant of a float graph: weights, shapes. `values` holds integers exactly up to 2^53. */
export interface GraphConstant {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly values: Float64Array;
}

/** What an attribute of a node can hold. */
export type Attribute = number | string | readonly number[] | readonly string[] | GraphConstant;

/** One operator of the graph with the names of what it reads and makes. */
export interface GraphNode {
  /** Unique in the graph; the file's own name, or made from operator and position. */
  readonly name: string;
  readonly operator: string;
  readonly domain: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** A model as typed operators in topological order, whatever file it came from. */
export interface Graph {
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly TensorSpec[];
  readonly nodes: readonly GraphNode[];
  readonly constants: ReadonlyMap<string, GraphConstant>;
  /** Shapes of every value that are known, −1 where free. */
  readonly shapes: ReadonlyMap<string, readonly number[]>;
  readonly opset: number;
}
