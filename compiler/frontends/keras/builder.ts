import type { Datatype } from "@/lib/common/tensor";
import type { Attribute, GraphConstant, GraphNode } from "../../graph/graph";

/** A value of the graph as Keras sees it: −1 is a free dimension, the batch first, channels last. */
export interface Value {
  readonly name: string;
  readonly shape: readonly number[];
  readonly datatype: Datatype;
}

export interface NewNode {
  readonly inputs: readonly (Value | GraphConstant | null)[];
  readonly shape: readonly number[];
  readonly attributes?: Readonly<Record<string, Attribute>>;
  readonly datatype?: Datatype;
  /** Whose operator it is; left out: ONNX's own. */
  readonly domain?: string;
  /** How many outputs the node has before the one that is wanted. */
  readonly skips?: number;
}

/** Adds nodes and constants under the name of one layer. */
export interface Emitter {
  add(operator: string, node: NewNode): Value;
  /** 32-bit floats. */
  weight(name: string, shape: readonly number[], values: ArrayLike<number>): GraphConstant;
  /** 64-bit integers: shapes, axes, indices. */
  integers(name: string, values: readonly number[]): GraphConstant;
  /** The value as 32-bit floats, as Keras casts what a layer is given. */
  real(value: Value): Value;
  /** Applies operators that look at each element alone, in whatever order the elements lie. */
  eachElement(value: Value, apply: (value: Value) => Value): Value;
  /** The value with channels first; layers in a row do not transpose back and forth. */
  channelsFirst(value: Value): Value;
  channelsLast(value: Value): Value;
}

/** A graph that grows layer by layer. */
export interface Builder {
  readonly nodes: readonly GraphNode[];
  readonly constants: ReadonlyMap<string, GraphConstant>;
  readonly shapes: Map<string, readonly number[]>;
  scope(layer: string): Emitter;
}

/** An empty graph; names of its nodes are made unique. */
export function createBuilder(): Builder {
  const nodes: GraphNode[] = [];
  const constants = new Map<string, GraphConstant>();
  const shapes = new Map<string, readonly number[]>();
  const taken = new Set<string>();
  /** Of a value with channels last, the same with channels first. */
  const firsts = new Map<string, Value>();

  const unique = (wished: string): string => {
    let name = wished;
    for (let index = 1; taken.has(name); index += 1) name = `${wished}_${index}`;
    taken.add(name);
    return name;
  };

  const scope = (layer: string): Emitter => {
    const add = (operator: string, node: NewNode): Value => {
      const name = unique(`${layer}/${operator}`);
      const { inputs, shape, attributes = {}, datatype = "FP32", domain = "", skips = 0 } = node;
      nodes.push({
        name,
        operator,
        domain,
        inputs: inputs.map((input) => input?.name ?? ""),
        outputs: [...Array<string>(skips).fill(""), name],
        attributes,
      });
      shapes.set(name, shape);
      return { name, shape, datatype };
    };
    const constant = (made: Omit<GraphConstant, "name">, wished: string): GraphConstant => {
      const whole = { ...made, name: unique(`${layer}/${wished}`) };
      constants.set(whole.name, whole);
      shapes.set(whole.name, whole.shape);
      return whole;
    };
    const channelsFirst = (value: Value): Value => {
      const known = firsts.get(value.name);
      if (known) return known;
      const first = transposed(value, firstOrder(value.shape.length));
      firsts.set(value.name, first);
      return first;
    };
    const channelsLast = (first: Value): Value => {
      const last = transposed(first, lastOrder(first.shape.length));
      firsts.set(last.name, first);
      return last;
    };
    const transposed = (value: Value, perm: readonly number[]): Value =>
      add("Transpose", {
        inputs: [value],
        shape: perm.map((axis) => value.shape[axis] ?? -1),
        datatype: value.datatype,
        attributes: { perm },
      });
    return {
      add,
      channelsFirst,
      channelsLast,
      weight: (name, shape, values) =>
        constant({ datatype: "FP32", shape, values: Float64Array.from(values) }, name),
      integers: (name, values) =>
        constant(
          { datatype: "INT64", shape: [values.length], values: Float64Array.from(values) },
          name,
        ),
      real: (value) =>
        value.datatype === "FP32"
          ? value
          : add("Cast", { inputs: [value], shape: value.shape, attributes: { to: 1 } }),
      eachElement: (value, apply) => {
        const first = firsts.get(value.name);
        return first ? channelsLast(apply(first)) : apply(value);
      },
    };
  };
  return { nodes, constants, shapes, scope };
}

const firstOrder = (rank: number): number[] => [
  0,
  rank - 1,
  ...Array.from({ length: rank - 2 }, (_, axis) => axis + 1),
];

const lastOrder = (rank: number): number[] => [
  0,
  ...Array.from({ length: rank - 2 }, (_, axis) => axis + 2),
  1,
];
