export { readBlob, writeBlob } from "./binary";
export { type Datatype, datatypes, isDatatype, toDatatype } from "./datatypes";
export { elementTexts } from "./element-texts";
export { fromBfloat16Bits, fromFloat16Bits, toBfloat16Bits, toFloat16Bits } from "./half";
export type {
  InferRequest,
  InferResponse,
  OutputSelection,
  ParameterValue,
  RequestedOutput,
  WireBody,
} from "./infer";
export { integerOfToken } from "./integer-token";
export { SlowText } from "./json-scanner";
export { float32Text } from "./number-text";
export { numbersOf } from "./numbers";
export { type BodyOptions, classCount, parseInferRequest, parseInferResponse } from "./parse-infer";
export { parseV1Request } from "./parse-v1";
export { rowSize, rowWidth } from "./row-size";
export { ElementCounter, elementCount, shapeText, tensorLimits } from "./shape";
export { isShownAs, shownNumber } from "./shown-number";
export type { Tensor, TensorData, TensorSpec } from "./tensor";
export {
  joinMessage,
  jsonTensor,
  writeInferBody,
  writeInferRequest,
  writeInferResponse,
} from "./write-infer";
export { writeV1Response } from "./write-v1";
