import { arrayEstimator } from "./array/estimator";
import { type AnyEstimator, anyEstimator } from "./estimator";
import { treesEstimator } from "./trees/estimator";
import { unrolledEstimator } from "./unrolled/estimator";
import { walkEstimator } from "./walk/estimator";

/** Of all architectures, in their order. Apart from these, since browsers load it. */
export const estimators: readonly AnyEstimator[] = [
  anyEstimator(unrolledEstimator),
  anyEstimator(arrayEstimator),
  anyEstimator(walkEstimator),
  anyEstimator(treesEstimator),
];
