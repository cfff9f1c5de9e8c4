import type { Tensor } from "./tensor";

/** A value of a `parameters` object; integers beyond 2^53 are exact big ones. */
export type ParameterValue = boolean | number | bigint | string;
/** Parameters of a request or tensor by name; JSON's numbers, texts and booleans. */
export type Parameters = ReadonlyMap<string, ParameterValue>;

/** An output that the caller asks for by name, and in which form. */
export interface RequestedOutput {
  readonly name: string;
  /** What `binary_data` says; undefined where it says nothing. */
  readonly binary: boolean | undefined;
  /** The best so many classes are wanted instead of the numbers. */
  readonly classification?: number;
}

/** Which outputs an answer has, in what order and in which form. */
export interface OutputSelection {
  /** Empty: all, in the model's order. */
  readonly outputs: readonly RequestedOutput[];
  /** `binary_data_output`: holds only where no output is listed. */
  readonly binaryOutput: boolean;
}

/** One inference as it was asked for, in no wire format. */
export interface InferRequest extends OutputSelection {
  /** Empty where the caller gave none. */
  readonly id: string;
  readonly parameters: Parameters;
  readonly inputs: readonly Tensor[];
}

/** The answer to an inference before any protocol writes it. */
export interface InferResponse {
  readonly modelName: string;
  readonly modelVersion: string;
  readonly id: string;
  readonly outputs: readonly Tensor[];
}

/** A message on the wire: the JSON, then the blobs of its binary tensors in order. */
export interface WireMessage {
  readonly head: string;
  readonly blobs: readonly Uint8Array[];
}

/** A message on the wire in one piece. */
export interface WireBody {
  readonly body: string | Uint8Array;
  /** Bytes of JSON in front of the blobs; null: all of it is JSON. */
  readonly headerLength: number | null;
}
