export {
  designMaps,
  hasMaps,
  type LoweredMaps,
  lowerMaps,
  readMapModel,
  refuseUnrolled,
} from "./convolution";
export type { MemoryPlace } from "./core-text";
export { type ClippedTensor, countClipped } from "./count-clipped";
export type { NetworkOutput } from "./dense-network";
export { type ArrayDesign, type Design, designArray, designCore } from "./design";
export { type DesignEstimate, estimateDesign, estimateMapDesign } from "./estimate-design";
export { exportOnnx, runnableOnnx, widenBfloat16 } from "./export-onnx";
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
export { type Lowered, lower } from "./lower";
export { outlineOf } from "./outline";
export { legalise } from "./passes/legalise";
export { type Precision, precisions } from "./precision";
export { hasQuantizers } from "./quantized/quantizer";
export type { RealTensor } from "./real-tensor";
export { type SectionRule, timelineOf } from "./report";
export { runIntegerGraph } from "./run-integer-graph";
export { designTrees, hasTrees, type LoweredTrees, lowerTrees, refuseTreeLanes } from "./trees";
export { locateShift, locateWeight } from "./verilog";
