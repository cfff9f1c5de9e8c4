export type { SectionRule } from "./architectures";
export type { MemoryPlace } from "./core-text";
export { type ClippedTensor, countClipped } from "./count-clipped";
export { type DesignEstimate, designCore, estimateDesign } from "./design";
export { exportOnnx, runnableOnnx, widenBfloat16 } from "./export-onnx";
export { lower, outlineOf, ownBitsOf, readOutputs, saysOwnRange } from "./flows";
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
export type { Attribute, Graph, GraphConstant, GraphNode } from "./graph";
export type { DenseNode, IntegerGraph, IntegerNode, RequantizeNode, Tap } from "./integer-graph";
export { runGraph } from "./interpret";
export type { Lowered, LowerRequest } from "./lowered";
export { type Precision, precisions } from "./precision";
export type { RealTensor } from "./real-tensor";
export { runIntegerGraph } from "./run-integer-graph";
export { locateShift, locateWeight } from "./verilog";
