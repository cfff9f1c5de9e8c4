export { readBlob, writeBlob } from "./binary";
export { type Datatype, datatypes } from "./datatypes";
export type {
  InferRequest,
  InferResponse,
  OutputSelection,
  Parameters,
  ParameterValue,
  RequestedOutput,
  WireMessage,
} from "./infer";
export { parseInferRequest, parseInferResponse } from "./parse-infer";
export { elementCount, shapeText, tensorLimits } from "./shape";
export type { Tensor, TensorData, TensorSpec } from "./tensor";
export { writeInferRequest, writeInferResponse } from "./write-infer";
