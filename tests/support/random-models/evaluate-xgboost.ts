import type { Answers, Batch } from "./types";
import type { XgboostFile, XgboostTree } from "./xgboost";

/** A margin, and how far sums of float32 in another order may lie from it. */
interface Margin {
  readonly value: number;
  readonly spread: number;
}

/** Share of the magnitudes summed up that roundings come to. */
const rounding = 2e-6;

/** ONNX Runtime's sigmoid is an approximation: this far off, of the 1 that shares add up to. */
const runtimeSigmoid = 2e-7;

/** What XGBoost predicts before its objective's link, written from its documentation: rows by outputs. */
export function evaluateXgboost(file: XgboostFile, { values, count }: Batch): Margin[][] {
  const { features, groups } = file;
  return Array.from({ length: count }, (_, row) => {
    const x = values.subarray(row * features, (row + 1) * features);
    const terms = Array.from({ length: groups }, (_, group) =>
      file.booster === "gblinear" ? linearTerms(file, x, group) : treeTerms(file, x, group),
    );
    return terms.map((own) => ({
      value: own.reduce((sum, term) => sum + term, 0),
      spread: rounding * own.reduce((sum, term) => sum + Math.abs(term), 0) + 2 ** -140,
    }));
  });
}

function treeTerms(file: XgboostFile, x: Float32Array, group: number): number[] {
  const { trees, treeGroups, drops } = file;
  return [
    baseMargin(file, group),
    ...trees.flatMap((tree, at) =>
      treeGroups[at] === group ? [leafOf(tree, x) * (drops[at] ?? 1)] : [],
    ),
  ];
}

function linearTerms(file: XgboostFile, x: Float32Array, group: number): number[] {
  const { features, groups, weights } = file;
  return [
    // The linear booster starts every output from the first base score.
    baseMargin(file, 0),
    weights[features * groups + group] ?? 0,
    ...Array.from(x, (value, feature) =>
      Number.isNaN(value) ? 0 : value * (weights[feature * groups + group] ?? 0),
    ),
  ];
}

function baseMargin({ objective, baseScores }: XgboostFile, group: number): number {
  const score = Math.fround(baseScores[group] ?? 0);
  if (/:logistic$/.test(objective)) return -Math.log(1 / score - 1);
  return /gamma|tweedie|poisson|cox/.test(objective) ? Math.log(score) : score;
}

/** Left where the value is below the threshold, or in none of the categories; missing values where the node says. */
function leafOf(tree: XgboostTree, x: Float32Array): number {
  let node = 0;
  for (;;) {
    const left = tree.left_children[node] ?? -1;
    const right = tree.right_children[node] ?? -1;
    const condition = tree.split_conditions[node] ?? 0;
    if (left === -1) return condition;
    const value = x[tree.split_indices[node] ?? 0] ?? Number.NaN;
    const goesLeft = Number.isNaN(value)
      ? tree.default_left[node] === 1
      : tree.split_type[node] === 1
        ? !categoriesOf(tree, node).includes(value)
        : value < condition;
    node = goesLeft ? left : right;
  }
}

function categoriesOf(tree: XgboostTree, node: number): readonly number[] {
  const at = tree.categories_nodes.indexOf(node);
  const first = tree.categories_segments[at] ?? 0;
  return tree.categories.slice(first, first + (tree.categories_sizes[at] ?? 0));
}

/** Holds answers between what the link makes of each margin's two ends. @throws {Error} */
export function holdXgboost(
  answers: Answers,
  margins: readonly (readonly Margin[])[],
  file: XgboostFile,
): void {
  const [answer] = answers;
  const isShare = /:logistic$|softprob/.test(file.objective);
  const bounds = margins.flatMap((row) => boundsOf(row, file.objective));
  if (answer?.values.length !== bounds.length || answers.length !== 1) {
    throw new Error(`${answer?.values.length} answers, not ${bounds.length}`);
  }
  for (const [at, { low, high }] of bounds.entries()) {
    const value = answer.values[at] ?? Number.NaN;
    const room = isShare
      ? runtimeSigmoid
      : 2e-6 * Math.max(Math.abs(low), Math.abs(high)) + 2 ** -140;
    if (value >= low - room && value <= high + room) continue;
    if (value === Math.fround(low) || value === Math.fround(high)) continue;
    throw new Error(`${answer.output}[${at}] is ${value}, not in ${low}…${high}`);
  }
}

interface Bounds {
  readonly low: number;
  readonly high: number;
}

function boundsOf(row: readonly Margin[], objective: string): Bounds[] {
  const ends = (link: (margin: number) => number) =>
    row.map(({ value, spread }) => ({ low: link(value - spread), high: link(value + spread) }));
  const logistic = (margin: number) => 1 / (1 + Math.exp(-margin));
  if (objective === "reg:logistic") return ends(logistic);
  if (objective === "binary:logistic") {
    return ends(logistic).flatMap((one) => [{ low: 1 - one.high, high: 1 - one.low }, one]);
  }
  if (/gamma|tweedie|poisson|cox/.test(objective)) return ends(Math.exp);
  if (objective === "binary:hinge") return ends((margin) => (margin > 0 ? 1 : 0));
  if (objective === "multi:softprob") return softmaxBounds(row);
  if (objective === "multi:softmax") return [bestBounds(row)];
  return ends((margin) => margin);
}

/** Each class at its best against all others at their worst, and the other way round. */
function softmaxBounds(row: readonly Margin[]): Bounds[] {
  const share = (own: number, sign: number) => {
    const ends = row.map(({ value, spread }, at) => value + (at === own ? sign : -sign) * spread);
    const largest = Math.max(...ends);
    const powers = ends.map((end) => Math.exp(end - largest));
    return (powers[own] ?? 0) / powers.reduce((a, b) => a + b, 0);
  };
  return row.map((_, own) => ({ low: share(own, -1), high: share(own, 1) }));
}

/** The classes that may be the largest: the first of them to the last. */
function bestBounds(row: readonly Margin[]): Bounds {
  const floor = Math.max(...row.map(({ value, spread }) => value - spread));
  const able = row.flatMap(({ value, spread }, at) => (value + spread >= floor ? [at] : []));
  return { low: Math.min(...able), high: Math.max(...able) };
}
