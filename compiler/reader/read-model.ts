import type { TensorSpec } from "@/lib/common/tensor";
import { isElementwiseNode } from "../graph/elementwise-node";
import type { Graph, GraphNode } from "../graph/graph";
import { neededNodes } from "../graph/needed-nodes";
import { refuse, refuseModel } from "../graph/refuse";
import { refuseForm, refuseUnknown } from "../graph/refuse-graph";
import type { NetworkOutput } from "../model/dense-network";
import { type Head, plainHead } from "../model/head";
import { inputSpansOf } from "../model/input-spans";
import { append, type Chain, isOutdated, mapOf, type NodeView, wholeOf } from "../model/maps/chain";
import type { InputScale } from "../model/maps/layers";
import type { Value } from "../model/maps/value";
import { hasQuantizers } from "../model/quantizer";
import { operatorOf } from "../operators";
import { type ElementwiseRegion, elementwiseRegion, type Uses, usesOf } from "./elementwise-region";
import { type AnsweringLayers, joinOutputs } from "./join-outputs";
import { listOfShapes } from "./lists";
import { mergeGrids } from "./merge-grids";
import { mergePads } from "./merge-pads";

/** A graph as layers, each as the model has it: nothing has been merged or moved. */
export interface ReadModel extends AnsweringLayers {
  readonly inputs: readonly [TensorSpec, ...TensorSpec[]];
  /** Values of a row: those of all inputs, one behind the other. */
  readonly inputSize: number;
  /** What the model does to each value of its input before any layer; null where it does nothing. */
  readonly inputScale: InputScale | null;
  /** Whether two probabilities are made of one score, `[1 − sigmoid(s), sigmoid(s)]`: the softmax of `[0, s]`. */
  readonly isPair: boolean;
}

/**
 * Reads a graph, operator by operator, each as its record in `operators/` says.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED` naming operator and node, `MODEL_UNSUPPORTED`, `QUANTIZER_INVALID`,
 *   `MODEL_VERSION_UNSUPPORTED` for operator sets outside 9..21.
 */
export function readModel(given: Graph): ReadModel {
  const isQuantized = hasQuantizers(given);
  const graph = isQuantized ? mergeGrids(given) : given;
  const [input, ...otherInputs] = graph.inputs;
  if (!input || graph.outputs.length === 0) {
    throw refuseModel(
      `The model has ${graph.inputs.length} inputs and ${graph.outputs.length} outputs; FPGA boards take one of each or more.`,
    );
  }
  const inputs = [input, ...otherInputs] as const;
  for (const each of inputs) refuseForm(graph, each);
  const nodes = mergePads(neededNodes(graph), graph);
  refuseUnknown(nodes, isKnown);
  const reading = new Reading(graph, nodes, inputs);
  for (let index = 0; index < nodes.length; ) index += reading.read(index);
  const { chain } = reading;
  const heads = graph.outputs.map(({ name }) => reading.headOf(name));
  const isPair = heads.some(({ kind }) => kind === "pair");
  if (isPair && heads.some(({ kind }) => kind !== "pair")) {
    throw refuseModel("The model answers a score and its two probabilities; FPGA boards take one.");
  }
  const [output, ...more] = given.outputs.map((spec, index) => outputOf(spec, heads[index]));
  if (!output) throw new RangeError("A graph has outputs.");
  return {
    inputs,
    inputSize: chain.inputSize,
    inputScale: chain.inputScales.every((scales) => scales === 0)
      ? null
      : { factor: chain.inputFactor, offset: chain.inputOffset },
    ...joinOutputs(
      chain,
      graph.outputs.map(({ name }) => name),
      [output, ...more],
    ),
    isPair,
  };
}

function isKnown(node: GraphNode): boolean {
  const { read, head, list } = operatorOf(node);
  return [read, head, list].some((each) => each !== undefined) || isElementwiseNode(node);
}

function outputOf(spec: TensorSpec, head: Head | undefined): NetworkOutput {
  const { activation, classes } = head ?? plainHead("none");
  return { spec, activation, ...(classes ? { classes } : {}) };
}

/** What is known of a graph while its nodes are read in order. */
class Reading {
  readonly chain: Chain;
  readonly #nodes: readonly GraphNode[];
  readonly #uses: Uses;
  /** Integers that shapes are made of, by name. */
  readonly #lists = new Map<string, readonly number[]>();
  /** What the host makes of the scores, by name. */
  readonly #heads = new Map<string, Head>();
  /** Names of which a layer is made later on. */
  readonly #inner: ReadonlySet<string>;

  constructor(
    graph: Graph,
    nodes: readonly GraphNode[],
    inputs: readonly [TensorSpec, ...TensorSpec[]],
  ) {
    const spans = inputSpansOf(inputs);
    const inputSize = spans.reduce((sum, { size }) => sum + size, 0);
    const inputScales = new Int32Array(inputSize);
    const values = new Map<string, Value>();
    for (const [index, { first, size }] of spans.entries()) {
      const { name, shape } = inputs[index] ?? inputs[0];
      const order = Int32Array.from({ length: size }, (_, at) => first + at);
      values.set(name, { layer: -1, shape: shape.slice(1), order, scales: inputScales.slice() });
    }
    this.#nodes = nodes;
    this.#uses = usesOf(nodes);
    this.#inner = innerNames(nodes, graph);
    this.chain = {
      graph,
      batch: inputs[0].shape[0] ?? -1,
      inputSize,
      layers: [],
      values,
      inputFactor: new Float64Array(inputSize).fill(1),
      inputOffset: new Float64Array(inputSize),
      inputScales,
    };
  }

  /** Reads what begins at a node. @returns How many nodes that were. */
  read(index: number): number {
    const node = this.#nodes[index];
    if (!node) return 1;
    const [name = ""] = node.outputs;
    const list = this.#listOf(node);
    if (list) {
      this.#lists.set(name, list);
      return 1;
    }
    const operator = operatorOf(node);
    const before = node.inputs.find((each) => this.#heads.has(each));
    const isEnd = !this.#inner.has(name);
    const region = before === undefined ? this.#regionAt(index, operator.read !== undefined) : null;
    if (region && !(isEnd && operator.beginsHead && region.length === 1)) {
      this.#readRegion(region);
      return region.length;
    }
    if (before !== undefined || (operator.beginsHead && isEnd && !this.#readsRows(node))) {
      this.#readHead(node, before ?? node.inputs[0] ?? "");
      return 1;
    }
    if (!operator.read) {
      const next = operator.beginsHead ? this.#layerBehind(name) : undefined;
      throw next ? refuse(next, `comes after the model's ${node.operator}`) : refuse(node);
    }
    this.chain.values.set(name, operator.read(this.#viewOf(node)));
    return 1;
  }

  /** Whether a node that could be the host's works on several rows, and is read as layers then. */
  #readsRows(node: GraphNode): boolean {
    const value = this.chain.values.get(node.inputs[0] ?? "");
    return operatorOf(node).read !== undefined && (value?.shape.length ?? 0) > 1;
  }

  headOf(output: string): Head {
    const head = this.#heads.get(output) ?? plainHead("none");
    if (head.kind !== "complement") return head;
    throw refuseModel(`Output "${output}" is not the end of one chain of layers.`);
  }

  #readHead(node: GraphNode, name: string): void {
    const { graph, values } = this.chain;
    const value = this.#valueOf(node, name);
    const [output = ""] = node.outputs;
    const { head } = operatorOf(node);
    const before = this.#heads.get(name) ?? plainHead("none");
    if (!head) throw refuse(node, `comes after the model's ${before.activation}`);
    this.#heads.set(
      output,
      head({ graph, node, head: before, shape: value.shape, heads: this.#heads }),
    );
    values.set(output, value);
  }

  /** Nodes that are a function of each element of one value; those with a reader only where their operand is shared. */
  #regionAt(index: number, isRead: boolean): ElementwiseRegion | null {
    const node = this.#nodes[index];
    const { graph, values } = this.chain;
    const value = node?.inputs.find((name) => values.has(name));
    if (!node || value === undefined || !isElementwiseNode(node)) return null;
    const isShared = (this.#uses.get(value)?.count ?? 0) > 1;
    if (isRead && !isShared) return null;
    const among = { nodes: this.#nodes, uses: this.#uses };
    const whole = elementwiseRegion(graph, among, index, { value, isShared: false });
    return whole || isRead
      ? whole
      : elementwiseRegion(graph, among, index, { value, isShared: true });
  }

  #readRegion({ node, program, output }: ElementwiseRegion): void {
    const name = node.inputs.find((each) => this.chain.values.has(each)) ?? "";
    const own = wholeOf(this.chain, this.#valueOf(node, name), node);
    if (program.length === 0) {
      this.chain.values.set(output, own);
      return;
    }
    const layer = append(this.chain, {
      kind: "elementwise",
      name: node.name,
      operator: node.operator,
      from: own.layer,
      output: mapOf(this.chain, own),
      program,
    });
    this.chain.values.set(output, { ...own, layer });
  }

  #listOf(node: GraphNode): readonly number[] | null {
    const { batch, values } = this.chain;
    return listOfShapes(node, {
      shapeOf: (name) => {
        const value = values.get(name);
        if (!value?.joinsBatch) return value ? [batch, ...value.shape] : null;
        const [rows = 1, ...rest] = value.shape;
        return [batch * rows, ...rest];
      },
      listOf: (name) => this.#integersOf(name),
      isComputed: (name) => this.#lists.has(name),
    });
  }

  #integersOf(name: string): readonly number[] | null {
    const constant = this.chain.graph.constants.get(name);
    return this.#lists.get(name) ?? (constant ? Array.from(constant.values) : null);
  }

  #viewOf(node: GraphNode): NodeView {
    const nameAt = (index: number) => node.inputs[index] ?? "";
    return {
      node,
      chain: this.chain,
      value: (index) => this.#wholeRowsOf(node, nameAt(index)),
      constant: (index) => this.chain.graph.constants.get(nameAt(index)) ?? null,
      list: (index) => this.#integersOf(nameAt(index)),
    };
  }

  /** @throws {AppError} for a value of rows inside of rows that the node's operator does not work on. */
  #wholeRowsOf(node: GraphNode, name: string): Value {
    const found = this.#valueOf(node, name);
    if (!found.joinsBatch || operatorOf(node).takesJoinedRows) return found;
    throw refuse(node, "works on rows that were joined with the batch");
  }

  #valueOf(node: GraphNode, name: string): Value {
    const found = this.chain.values.get(name);
    if (!found) throw refuse(node, "works on constants or shapes where FPGA boards need values");
    if (isOutdated(this.chain, found)) {
      throw refuse(node, "reads the input beside another node that scales it");
    }
    return found;
  }

  /** The first layer that is made of a value. */
  #layerBehind(name: string): GraphNode | undefined {
    const reached = new Set([name]);
    return this.#nodes.find((node) => {
      if (!node.inputs.some((each) => reached.has(each))) return false;
      for (const each of node.outputs) reached.add(each);
      return operatorOf(node).isLayer === true;
    });
  }
}

/** Names of values of which a sum is made further on: the rest of the graph is the host's where it can be. */
function innerNames(nodes: readonly GraphNode[], { constants }: Graph): ReadonlySet<string> {
  const inner = new Set<string>();
  for (const node of nodes.toReversed()) {
    const computed = new Set(node.inputs.filter((name) => name !== "" && !constants.has(name)));
    const isSum = operatorOf(node).isLayer || (node.operator === "Add" && computed.size > 1);
    if (isSum || node.outputs.some((name) => inner.has(name))) {
      for (const name of computed) inner.add(name);
    }
  }
  return inner;
}
