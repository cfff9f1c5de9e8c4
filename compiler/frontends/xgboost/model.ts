/** A tree; arrays have one entry for each node. Node 0 is the root; a leaf has no children (−1). */
export interface Tree {
  readonly left: readonly number[];
  readonly right: readonly number[];
  readonly feature: readonly number[];
  /** Threshold of an inner node, value of a leaf. */
  readonly value: readonly number[];
  readonly defaultLeft: readonly boolean[];
  /** Categories that go right, by inner node that splits on them. */
  readonly categories: ReadonlyMap<number, readonly number[]>;
  /** What a leaf adds to each output where it adds to all of them, by leaf; else null. */
  readonly vectors: ReadonlyMap<number, readonly number[]> | null;
  /** The output it adds to, where that is one. */
  readonly group: number;
}

/** Trees, whose leaves are summed. */
export interface TreeModel {
  readonly kind: "trees";
  readonly trees: readonly Tree[];
}

/** Weights of each feature for each group, then the biases. */
export interface LinearModel {
  readonly kind: "linear";
  readonly weights: readonly number[];
}

/** An XGBoost model as far as predicting needs it. */
export interface XgboostModel {
  readonly booster: TreeModel | LinearModel;
  readonly objective: string;
  readonly features: number;
  /** Margins that it computes: classes, targets, or one. */
  readonly groups: number;
  /** Added to each margin, before the link function. */
  readonly baseMargins: readonly number[];
}
