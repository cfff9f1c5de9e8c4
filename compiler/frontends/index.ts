export { parseBondmachineJson } from "./bondmachine";
export { parseKeras, parseKerasH5 } from "./keras";
export { loadReader } from "./load-reader";
export { parseOnnx } from "./onnx";
export { refusalOf } from "./refusals";
export { parseSavedModel, type SavedModel } from "./savedmodel";
export { type Format, sniff } from "./sniff";
export { parseXgboostJson, parseXgboostUbj } from "./xgboost";
