import type { FamilyCosts } from "@/boards";
import type { Layer } from "../../integer/layers";
import { bitLength } from "../../integer/range";

/** What of a layer decides how deep it must be. */
export interface DepthLayer {
  /** Signed digits of each output's weights, by input; none of outputs that nothing uses. */
  readonly digits: readonly (readonly number[])[];
  /** Levels from a sum to what the next layer reads: a clamp, a table. */
  readonly after: number;
}

/** What the depth of a layer depends on besides its rows. */
export interface LeastLevels {
  /** What the constant of a row weighs in its tree of adders. */
  readonly constant: number;
  /** Levels from a sum to what the next layer reads. */
  readonly after: number;
}

/** Levels behind the sums: of hidden values a clamp, and the table behind it; scores seldom reach their bounds. */
export const levelsAfter = ({ table }: Pick<Layer, "table">): number => (table ? 2 : 1);

/** What the constant of a row weighs in its tree of adders: as a term of level 0, or nothing where a carry chain takes it. */
export const constantWeight = ({ constantsInChains }: FamilyCosts): number =>
  constantsInChains ? 0 : 1;

/** The least level by which a tree of adders sums a row whose terms and constant weigh so much, 2^level each. */
const leastLevel = (load: number): number => (load <= 1 ? load : bitLength(load - 1));

const levelOfRow = (load: number, constant: number): number =>
  load === 0 ? 0 : Math.max(1, leastLevel(load + constant));

/**
 * Levels by which the rows of the first of some layers are to be summed. The network answers as early as it can, so a row
 * is late only where those behind it make up for that: then its adders are shared more.
 *
 * @param loads Of the rows of the first layer, Σ 2^level over their terms; 0 of rows without any.
 */
export function planLevels(
  loads: readonly number[],
  layer: LeastLevels,
  later: readonly DepthLayer[],
): number[] {
  const levels = loads.map((load) => levelOfRow(load, layer.constant));
  const least = depthOf(levels, layer, later);
  const deepest = Math.max(0, ...levels);
  const fullness = (row: number) => (loads[row] ?? 0) / 2 ** (levels[row] ?? 0);
  const fullestFirst = [...levels.keys()].sort((a, b) => fullness(b) - fullness(a));
  for (const row of fullestFirst) {
    const own = levels[row] ?? 0;
    for (let level = later.length === 0 ? least : deepest; level > own; level--) {
      levels[row] = level;
      if (depthOf(levels, layer, later) <= least) break;
      levels[row] = own;
    }
  }
  return levels;
}

/** The level of the last score, where the rows of a layer are summed by these levels. */
export function depthOf(
  levels: readonly number[],
  layer: LeastLevels,
  [next, ...rest]: readonly DepthLayer[],
): number {
  if (!next) return Math.max(0, ...levels);
  const weights = levels.map((level) => (level === 0 ? 0 : 2 ** (level + layer.after)));
  const loads = next.digits.map((row) =>
    row.reduce((sum, count, input) => sum + count * (weights[input] ?? 0), 0),
  );
  const { constant } = layer;
  const nextLevels = loads.map((load) => levelOfRow(load, constant));
  return depthOf(nextLevels, { constant, after: next.after }, rest);
}
