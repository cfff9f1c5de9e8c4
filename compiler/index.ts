export type { SectionRule } from "./architectures";
export { locateShift, locateWeight } from "./architectures/array/locate";
export { type DesignEstimate, designCore, estimateDesign } from "./design";
export { exportOnnx, runnableOnnx, widenBfloat16 } from "./export-onnx";
export { denseFloats, lower, ownBitsOf, readOutputs, saysOwnRange } from "./flows";
export {
  type Format,
  loadReader,
  parseBondmachineJson,
  parseKeras,
  parseKerasH5,
  parseOnnx,
  parseSavedModel,
  parseXgboostJson,
  parseXgboostUbj,
  refusalOf,
  type SavedModel,
  sniff,
} from "./frontends";
export type { Attribute, Graph, GraphConstant, GraphNode } from "./graph/graph";
export { findHgqLayer, hgqDomain } from "./graph/hgq-layer";
export type { RealTensor } from "./graph/real-tensor";
export { countAdders } from "./integer/count-adders";
export { countClipped } from "./integer/count-clipped";
export type {
  DenseNode,
  IntegerGraph,
  Tap,
} from "./integer/integer-graph";
export { runIntegerGraph } from "./integer/run-integer-graph";
export type { DenseFloats } from "./lower/dense";
export type { Lowered } from "./lower/lowered";
export { type DenseLayer, runDenseNetwork } from "./model/dense-network";
export type { TreeEnsemble } from "./model/trees/ensemble";
export { runGraph } from "./operators/run-graph";
export { outlineOf } from "./outline";
export { type Precision, precisions } from "./passes/precision";
export { type Random, randomFrom } from "./random";
export { hasTrees, readTreeModel } from "./reader/trees";
export { type Target, targetOf } from "./target/part";
export { corePorts } from "./verilog/core-ports";
export type { MemoryPlace } from "./verilog/memory";
