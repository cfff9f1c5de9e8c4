import { z } from "zod";
import { fail } from "@/lib/common/errors";
import { type Precision, precisions, weightBitsOf } from "../../passes/precision";
import { arrayPart } from "../../target/part";
import type { Fit, Wish } from "../architecture";
import type { EstimateRequest, Estimator } from "../estimator";
import { type Choice, chooseLanes } from "./layout";
import { nearestSizes } from "./nearest-sizes";
import type { LayerShape } from "./schedule";

const count = z.number().int().nonnegative();

const schema = z.object({
  layers: z
    .array(
      z.object({
        inputSize: count,
        outputSize: count,
        /** Bits of its sums. */
        sumWidth: count,
        /** What its values are looked up in: layers with the same number share a table. */
        table: z.object({ image: count, inputWidth: count }).nullable(),
      }),
    )
    .min(1),
  /** Why the array cannot run it, as what follows "the array"; null where it can. */
  refusal: z.string().nullable(),
});

/** What the array's schedule and cells follow from: sizes of dense layers and the widths of their sums. */
export type ArrayOutline = z.infer<typeof schema>;

/** Accumulators are as wide as a score with its sign at least. */
const leastWidth = 17;

/** Bits of the accumulators of all lanes, from those of each layer's sums. */
export const widestSum = (widths: readonly number[]): number => Math.max(leastWidth, ...widths);

/** Lays the array of an outline out on a part: the planner prints this very choice. */
export function fitArray(outline: ArrayOutline, { target, wish }: EstimateRequest): Fit<Choice> {
  const result = chooseLanes(shapesOf(outline), widthOf(outline), arrayPart(target), wish.lanes);
  if (!result.ok) return { fits: false, lack: result.lack, lacking: result.lacking };
  const { schedule, estimate } = result.choice;
  return {
    fits: true,
    layout: result.choice,
    resources: estimate,
    latencyCycles: schedule.latencyCycles,
    lanes: schedule.lanes,
    ownMultipliers: estimate.multipliers.paired,
  };
}

/** @throws {AppError} `OPTION_INVALID` with why the array cannot run a model; null: it can. */
export function refuseArray(refusal: string | null, { architecture }: Wish): void {
  if (refusal === null) return;
  throw fail("OPTION_INVALID", `The array ${refusal}.`, {
    field: architecture === "array" ? "options.architecture" : "options.lanes",
    hint: "Leave the architecture to the compiler, which unrolls such models.",
  });
}

/** Inputs, then the outputs of every layer. */
export const sizesOf = ({ layers }: ArrayOutline): readonly number[] => [
  layers[0]?.inputSize ?? 0,
  ...layers.map(({ outputSize }) => outputSize),
];

/** The largest sizes of the same form that a part holds; null: none does, or there are no hidden layers. */
export const nearestArray = (
  outline: ArrayOutline,
  { target, wish }: EstimateRequest,
): readonly number[] | null =>
  nearestSizes(sizesOf(outline), (sizes) => {
    const layers = shapesOf(outline).map((shape, layer) => ({
      ...shape,
      inputSize: sizes[layer] ?? 1,
      outputSize: sizes[layer + 1] ?? 1,
    }));
    return chooseLanes(layers, widthOf(outline), arrayPart(target), wish.lanes).ok;
  });

export const arrayEstimator: Estimator<ArrayOutline> = {
  id: "array",
  schema,
  errors: { cells: 0.15, cycles: 0 },
  isAskedBy: ({ architecture }) => architecture !== "unrolled",
  check: ({ refusal }, { wish }) => refuseArray(refusal, wish),
  estimate: fitArray,
  atPrecision: (outline, precision) => ({
    ...outline,
    layers: outline.layers.map((layer, index) => ({
      ...layer,
      sumWidth: layer.sumWidth + productBits(precision, index) - productBits(usual, index),
    })),
  }),
  nearest: nearestArray,
};

const usual = precisions["exact-ish"];

/** Bits of a weight of a layer and of a value that it reads. */
const productBits = (precision: Precision, layer: number): number =>
  weightBitsOf(precision, layer) + (layer === 0 ? precision.inputBits : precision.activationBits);

const widthOf = ({ layers }: ArrayOutline): number =>
  widestSum(layers.map(({ sumWidth }) => sumWidth));

const shapesOf = ({ layers }: ArrayOutline): LayerShape[] =>
  layers.map(({ inputSize, outputSize, table }) =>
    table === null ? { inputSize, outputSize } : { inputSize, outputSize, table },
  );
