import {
  composeElementwise,
  type ElementwiseProgram,
  evaluateElementwise,
} from "@/lib/common/elementwise";
import { refuse, refuseModel } from "../../graph/refuse";
import { invalid, type Quantizer } from "../../model/quantizer";
import { foldAfter, foldBefore } from "../../reader/fold-steps";
import type { Step } from "../../reader/step";

export type Of<Kind extends Step["kind"]> = Extract<Step, { kind: Kind }>;
export type After = Of<"relu"> | Of<"elementwise"> | Of<"quantize">;

/** A dense layer on grids of the model's own: its sums, the grid they go onto, and what is done there. */
export interface QuantizedLayer {
  readonly dense: Of<"dense">;
  /** Before the sums go onto their grid, or where there is none, at the end. */
  readonly relu: boolean;
  /** Null only for the last layer, whose sums then are the scores. */
  readonly quantizer: Quantizer | null;
  /** What happens to values on that grid, ending on another one; none where nothing does. */
  readonly after: readonly After[];
}

export interface QuantizedSteps {
  readonly input: Quantizer;
  readonly layers: readonly QuantizedLayer[];
  /** A function of each score, for the host. */
  readonly last: ElementwiseProgram;
}

/**
 * Groups the steps of a quantised model into layers.
 *
 * @throws {AppError} `QUANTIZER_INVALID` naming the first value that is on no grid where it is multiplied.
 */
export function quantizedLayers(steps: readonly Step[]): QuantizedSteps {
  let input: Quantizer | null = null;
  let waiting: Of<"affine"> | null = null;
  const drafts: { dense: Of<"dense">; after: After[] }[] = [];
  for (const step of steps) {
    const last = drafts.at(-1);
    if (step.kind === "dense") {
      if (!input) throw invalid(step0(step), "multiplies an input that is not quantised");
      drafts.push({ dense: waiting ? foldBefore(waiting, step) : step, after: [] });
      waiting = null;
    } else if (step.kind === "affine") {
      if (!last && !input) throw refuse(step, "comes before the input is quantised");
      if (last && last.after.length === 0) last.dense = foldAfter(last.dense, step);
      else if (waiting) throw refuse(step, "follows another scale or offset on a grid");
      else waiting = step;
    } else if (step.kind === "relu" || step.kind === "elementwise" || step.kind === "quantize") {
      if (waiting) throw refuse(waiting, "moves values off their grid between two layers");
      if (last) last.after.push(step);
      else if (step.kind === "quantize" && !input) input = step.quantizer;
      else throw refuse(operatorOf(step), "comes before the first layer");
    }
  }
  if (waiting) throw refuse(waiting, "has no dense layer to be merged into");
  const [first] = drafts;
  if (!input || !first)
    throw refuseModel("The model has no dense layer, so there is nothing to build.");
  const layers = drafts.slice(0, -1).map(({ dense, after }, index) => {
    const layer = layerOf(dense, after);
    const next = drafts[index + 1]?.dense ?? dense;
    if (!endsOnGrid(after)) {
      throw invalid(step0(next), "multiplies values that are not quantised");
    }
    return layer;
  });
  const { layer, last } = lastLayer(drafts.at(-1) ?? first);
  return { input, layers: [...layers, layer], last };
}

const step0 = ({ name }: Of<"dense">) => ({ name, operator: "MatMul" });
const operatorOf = (step: After) => ({
  name: step.name,
  operator: step.kind === "relu" ? "Relu" : step.operator,
});

/** Whether steps leave values on a grid: ReLU keeps one, a function needs another one behind it. */
export function endsOnGrid(steps: readonly After[]): boolean {
  const place = steps.findIndex(({ kind }) => kind === "quantize");
  const after = steps.slice(place + 1);
  return place >= 0 && (after.every(({ kind }) => kind === "relu") || isQuantize(after.at(-1)));
}

const isQuantize = (step: After | undefined): boolean => step?.kind === "quantize";

/** ReLU, the grid, and what is done on it; ReLU alone needs no table, since it keeps values on their grid. */
export function layerOf(dense: Of<"dense">, steps: readonly After[]): QuantizedLayer {
  const place = steps.findIndex(({ kind }) => kind === "quantize");
  const before = place < 0 ? steps : steps.slice(0, place);
  const odd = before.find(({ kind }) => kind === "elementwise");
  if (odd) throw invalid(operatorOf(odd), "works on values that are not quantised");
  const step = steps[place];
  const after = steps.slice(place + 1);
  const onlyRelu = after.every(({ kind }) => kind === "relu");
  return {
    dense,
    relu: before.length > 0 || (place >= 0 && onlyRelu && after.length > 0),
    quantizer: step?.kind === "quantize" ? step.quantizer : null,
    after: place < 0 || onlyRelu ? [] : after,
  };
}

/** Functions after the last grid are the host's. */
export function lastLayer({ dense, after }: { dense: Of<"dense">; after: readonly After[] }) {
  const place = after.findLastIndex(({ kind }) => kind === "quantize");
  const rest = after.slice(place + 1);
  const hosted = rest.filter((step) => step.kind !== "quantize");
  const programs = hosted.map(
    (step): ElementwiseProgram =>
      step.kind === "relu"
        ? [{ operator: "Relu", operands: [{ from: 0 }], parameters: {} }]
        : step.program,
  );
  return {
    layer: layerOf(dense, after.slice(0, place + 1)),
    last: programs.reduce(composeElementwise, []),
  };
}

/** What the steps after a grid make of one of its values; functions as float32 answers them. */
export function valueAfter(
  steps: readonly After[],
  value: number,
  quantize: (quantizer: Quantizer, value: number) => number,
): number {
  return steps.reduce((x, step) => {
    if (step.kind === "relu") return Math.max(0, x);
    if (step.kind === "elementwise") return Math.fround(evaluateElementwise(step.program, x));
    return quantize(step.quantizer, x);
  }, value);
}
