import type { Graph } from "@/compiler/graph/graph";

/** A graph that was drawn, and what it is in a line. */
export interface DrawnGraph {
  readonly about: string;
  readonly graph: Graph;
}

/** Outputs of a model, in its order. */
export type Answers = readonly {
  readonly output: string;
  readonly shape: readonly number[];
  readonly values: readonly number[];
}[];

/** A batch of a model's one input. */
export interface Batch {
  readonly values: Float32Array;
  readonly count: number;
  readonly shape: readonly number[];
}

/** A legal model file, made of a seed. */
export interface RandomModel {
  readonly seed: number;
  readonly format: "onnx" | "keras" | "xgboost";
  /** What kind of model it is. */
  readonly family: string;
  readonly about: string;
  readonly bytes: Uint8Array;
  /** Rows that its own runtime has answered, where those are known before. */
  readonly rows?: Float32Array;
  /** Features whose values are numbers of categories. */
  readonly categorical?: readonly number[];
  /** Whether values of a row may be missing. */
  readonly missing?: boolean;
  /** Holds what is served against the model's own runtime. @throws {Error} naming the first difference. */
  readonly hold: (answers: Answers, batch: Batch) => Promise<void> | void;
}
