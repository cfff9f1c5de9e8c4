import type { Datatype } from "./datatypes";

/**
 * Elements of a tensor, row-major. BOOL is 0 or 1 in a Uint8Array; FP16 and BF16 keep their bits in a Uint16Array;
 * BYTES is a list of byte strings.
 */
export type TensorData =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Float32Array
  | Float64Array
  | readonly Uint8Array[];

/** A named tensor with its elements; `data` has as many as `shape` says. */
export interface Tensor {
  readonly name: string;
  readonly datatype: Datatype;
  /** Non-negative dimensions; `[]` is a scalar. */
  readonly shape: readonly number[];
  readonly data: TensorData;
}

/** What a model declares of a tensor; −1 is a free dimension, the batch first. */
export interface TensorSpec {
  readonly name: string;
  readonly datatype: Datatype;
  readonly shape: readonly number[];
}
