export { type Datatype, datatypes } from "./datatypes";
export type { Tensor, TensorData, TensorSpec } from "./tensor";
