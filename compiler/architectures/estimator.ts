import type { z } from "zod";
import type { Precision } from "../passes/precision";
import type { PartTarget } from "../target/part";
import type { Estimate, Lack, Wish } from "./architecture";

/** What an outline is estimated for. */
export interface EstimateRequest {
  readonly target: PartTarget;
  readonly wish: Wish;
  /** Logic cells beyond which it had better be another architecture; left out: as many as the part has. */
  readonly mostCells?: number | undefined;
}

/**
 * The half of an architecture that needs no weights: what a core comes to, from the outline that its other half makes of
 * an integer graph. Form and planner estimate by it. It runs in browsers, so it imports nothing that prints a core.
 */
export interface Estimator<Outline extends object> {
  /** As the architecture's. */
  readonly id: string;
  /** Of its outlines, which come from other processes. */
  readonly schema: z.ZodType<Outline>;
  /** Relative errors of its estimates on placed designs: nine of ten are within them. */
  readonly errors: { readonly cells: number; readonly cycles: number };
  /** Whether a wish leaves it in question. */
  isAskedBy(wish: Wish): boolean;
  /** @throws {AppError} `OPTION_INVALID` for options that do not go with the model or the part. */
  check(outline: Outline, request: EstimateRequest): void;
  estimate(outline: Outline, request: EstimateRequest): Estimate | Lack;
  /** The outline of the same model at other bits than the default ones; left out: nothing depends on them. */
  atPrecision?(outline: Outline, precision: Precision): Outline;
  /** The largest sizes of the same form that would fit; left out: it knows of none. */
  nearest?(outline: Outline, request: EstimateRequest): readonly number[] | null;
}

/** An estimator with the outline of a model, which only it can read. */
export interface Estimable extends Pick<Estimator<object>, "id" | "errors" | "isAskedBy"> {
  check(request: EstimateRequest): void;
  estimate(request: EstimateRequest): Estimate | Lack;
  nearest(request: EstimateRequest): readonly number[] | null;
}

/** Any estimator: puts an outline of its own at some bits, null for the model's own or the default ones. */
export type AnyEstimator = Pick<Estimator<object>, "id"> & {
  of(outline: unknown, precision: Precision | null): Estimable;
};

/** An estimator as one of many. An outline is parsed once, however often somebody types. */
export function anyEstimator<Outline extends object>(own: Estimator<Outline>): AnyEstimator {
  const known = new WeakMap<object, Outline>();
  const parse = (given: unknown): Outline => {
    const before = typeof given === "object" && given !== null ? known.get(given) : undefined;
    const outline = before ?? own.schema.parse(given);
    if (typeof given === "object" && given !== null) known.set(given, outline);
    return outline;
  };
  return {
    id: own.id,
    of(given, precision) {
      const parsed = parse(given);
      const outline = precision ? (own.atPrecision?.(parsed, precision) ?? parsed) : parsed;
      return {
        id: own.id,
        errors: own.errors,
        isAskedBy: own.isAskedBy,
        check: (request) => own.check(outline, request),
        estimate: (request) => own.estimate(outline, request),
        nearest: (request) => own.nearest?.(outline, request) ?? null,
      };
    },
  };
}
