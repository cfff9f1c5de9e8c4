export { type Format, parseOnnx, refusalOf, sniff } from "./frontends";
export type { Attribute, Graph, GraphConstant, GraphNode } from "./graph";
export type { DenseNode, IntegerGraph, IntegerNode, RequantizeNode, Tap } from "./integer-graph";
export { type RealTensor, runGraph } from "./interpret";
