import { findForecast } from "@/engines/forecast";
import type { Build, ModelDetail, WeightRange } from "@/lib/common/contract";

/** The spread of a tensor of weights, and what the precision of a build holds of it. */
export interface ShownWeights extends WeightRange {
  readonly name: string;
  /** Of the grid of the build; absent where that is not known. */
  readonly bits?: number | undefined;
  /** The largest weight that the grid holds. */
  readonly limit?: number | undefined;
  /** Share of that range in which half of the weights lie. */
  readonly share?: number | undefined;
}

/** The newest finished build that chose how many bits weights have; a model with bits of its own leaves none to choose. */
export function choosingBuild(
  { outlines }: Pick<ModelDetail, "outlines">,
  builds: readonly Build[],
): Build | undefined {
  return builds.find(
    ({ state, boardKind, engine }) =>
      state === "succeeded" &&
      boardKind !== "cpu" &&
      findForecast(engine)?.weightGrid !== undefined &&
      outlines?.[engine]?.hasOwnBits === false,
  );
}

/** The tensors of weights by the names of their layers, each on the grid that the build gave it. */
export function shownWeights(
  { weights = [], layers = [] }: Pick<ModelDetail, "weights" | "layers">,
  build: Build | undefined,
): ShownWeights[] {
  const gridOf = build && findForecast(build.engine)?.weightGrid;
  return weights.map((range, index) => {
    const name = layers[range.layer]?.name ?? range.tensor;
    const magnitude = Math.max(Math.abs(range.min), Math.abs(range.max));
    if (!gridOf || magnitude === 0) return { ...range, name };
    const { bits, limit } = gridOf(build.options ?? {}, index, magnitude);
    return { ...range, name, bits, limit, share: (range.q3 - range.q1) / (2 * limit) };
  });
}
