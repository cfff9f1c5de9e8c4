import { type Operator, sameShape, sameTensor } from "./operator";

export const identity: Operator = {
  shape: sameShape,
  evaluate: sameTensor,
  folds: true,
  list: ({ list }) => list(0),
  read: ({ value }) => value(0),
  takesJoinedRows: true,
  head: ({ head }) => head,
};

/** What is dropped while training is kept afterwards. */
export const dropout: Operator = {
  shape: sameShape,
  evaluate: sameTensor,
  read: ({ value }) => value(0),
  takesJoinedRows: true,
};
