export type { SectionRule } from "./architectures";
export { locateShift, locateWeight } from "./architectures/array/locate";
export { type DesignEstimate, designCore, estimateDesign } from "./design";
export { exportOnnx, runnableOnnx, widenBfloat16 } from "./export-onnx";
export { lower, ownBitsOf, readOutputs, saysOwnRange } from "./flows";
export {
  type Format,
  loadReader,
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
export type { RealTensor } from "./graph/real-tensor";
export { countClipped } from "./integer/count-clipped";
export type {
  DenseNode,
  IntegerGraph,
  Tap,
} from "./integer/integer-graph";
export { runIntegerGraph } from "./integer/run-integer-graph";
export type { Lowered } from "./lower/lowered";
export { runGraph } from "./operators/run-graph";
export { outlineOf } from "./outline";
export { type Precision, precisions } from "./passes/precision";
export { type Target, targetOf } from "./target/part";
export type { MemoryPlace } from "./verilog/memory";
