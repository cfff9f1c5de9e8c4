import { refuse } from "../../graph/refuse";
import { operandsOf } from "../../integer/integer-graph";
import {
  type AddLayer,
  type ConcatLayer,
  type ConvolutionLayer,
  copyLayer,
  type MaxPoolLayer,
  type ProductLayer,
  plainView,
  type RawLayer,
  scaled,
} from "../../model/maps/layers";
import { invalid, type Quantizer, sameGrid } from "../../model/quantizer";
import type { ReadModel } from "../../reader/read-model";
import { type After, endsOnGrid } from "./quantized-layers";

/** A sum and what happens to it, in order; what is pooled of it comes last, as none of that changes which is largest. */
export interface SumDraft {
  readonly kind: "sum";
  layer: ConvolutionLayer | AddLayer;
  readonly after: After[];
  readonly pools: MaxPoolLayer[];
}

/** Values that keep the grid of what they are made of. */
export interface KeptDraft {
  readonly kind: "kept";
  readonly layer: MaxPoolLayer | ConcatLayer;
}

export type Draft = SumDraft | KeptDraft;

/** Layers of a quantised model, each with what is done to its sums. `from` of a layer is the place of a draft. */
export interface QuantizedMaps {
  readonly input: Extract<RawLayer, { kind: "quantize" }>["quantizer"];
  readonly drafts: readonly Draft[];
}

/**
 * Groups the layers of a quantised model: sums, the grids that they go onto, and what keeps a grid.
 *
 * @throws {AppError} `QUANTIZER_INVALID`, `OPERATOR_UNSUPPORTED` naming the first node that cannot be taken at its word.
 */
export function quantizedMaps(model: ReadModel): QuantizedMaps {
  const { layers, inputScale, scores } = model;
  const [first] = layers;
  if (first?.kind !== "quantize" || first.from !== -1) {
    throw invalid(first ? operatorOf(first) : inputNode, "reads an input that is not quantised");
  }
  if (inputScale) throw refuse(operatorOf(first), "comes behind a scale of the input");
  const drafts: Draft[] = [];
  /** The draft of each raw layer's values; −1: the input. */
  const places: number[] = [-1];
  const readers = layers.map((_, place) =>
    layers.filter((layer) => operandsOf(layer).includes(place)),
  );
  const draftOf = (place: number): number => (place < 0 ? -1 : (places[place] ?? -1));
  const open = (layer: SumDraft["layer"]): number =>
    drafts.push({ kind: "sum", layer, after: [], pools: [] }) - 1;

  for (const [place, layer] of layers.entries()) {
    if (place === 0) continue;
    if (operandsOf(layer).includes(-1)) {
      throw invalid(operatorOf(layer), "reads the input beside its quantiser");
    }
    if (layer.kind === "product") {
      throw refuse(operatorOf(layer), "multiplies two computed values of a quantised model");
    }
    if (layer.kind === "convolution" || layer.kind === "add" || layer.kind === "concat") {
      for (const from of operandsOf(layer)) requireGrid(layers, drafts[draftOf(from)], layer);
    }
    if (layer.kind === "convolution") places.push(open({ ...layer, from: draftOf(layer.from) }));
    else if (layer.kind === "add") {
      const [left, right] = layer.from;
      places.push(open({ ...layer, from: [draftOf(left), draftOf(right)] }));
    } else if (layer.kind === "concat") {
      const from = layer.from.map(draftOf);
      places.push(drafts.push({ kind: "kept", layer: { ...layer, from } }) - 1);
    } else {
      const before = drafts[draftOf(layer.from)];
      if (layer.kind === "quantize" && isOnGrid(drafts, draftOf(layer.from), layer.quantizer)) {
        places.push(draftOf(layer.from));
        continue;
      }
      const isAlone = readers[layer.from]?.length === 1;
      const joined = before?.kind === "sum" && isAlone && joins(before, layer);
      places.push(
        joined
          ? draftOf(layer.from)
          : standing(layer, { from: draftOf(layer.from), input: first, drafts, open }),
      );
    }
  }
  const end = draftOf(scores.layer);
  const last = drafts[end];
  const isLast = end === drafts.length - 1 && last?.kind === "sum" && last.pools.length === 0;
  if (!isLast) {
    const output = layers[scores.layer]?.output ?? {
      height: 1,
      width: 1,
      channels: model.inputSize,
    };
    requireGrid(layers, last, copyLayer("answer", end, plainView(output)));
    open(copyLayer("answer", end, plainView(output)));
  }
  return { input: first.quantizer, drafts };
}

/** The quantiser that values were put on a grid by last, which ReLU, pooling and nothing else came behind. */
function quantizerBehind(drafts: readonly Draft[], place: number, input: OnGrid): OnGrid | null {
  if (place < 0) return input;
  const draft = drafts[place];
  if (draft?.kind === "sum") {
    if (!endsOnGrid(draft.after)) return null;
    return draft.after.findLast((step) => step.kind === "quantize") ?? null;
  }
  if (draft?.layer.kind !== "max-pool") return null;
  return quantizerBehind(drafts, draft.layer.from, input);
}

type OnGrid = Extract<After, { kind: "quantize" }>;

/** Whether values already lie on a grid, which a second quantiser of the same kind does not change. */
function isOnGrid(drafts: readonly Draft[], place: number, wanted: Quantizer): boolean {
  const draft = drafts[place];
  if (!draft) return false;
  if (draft.kind === "kept") {
    return operandsOf(draft.layer).every((from) => isOnGrid(drafts, from, wanted));
  }
  const last = draft.after.at(-1);
  return last?.kind === "quantize" && sameGrid(last.quantizer, wanted);
}

const inputNode = { name: "input", operator: "QuantizeLinear" };

/** What a node does is done to the sum before it. @returns False where it has to stand by itself. */
function joins(
  before: SumDraft,
  layer: Exclude<RawLayer, SumDraft["layer"] | ProductLayer | ConcatLayer>,
): boolean {
  const { after, pools } = before;
  if (layer.kind === "max-pool") {
    pools.push(layer);
    return true;
  }
  if (layer.kind === "affine") {
    if (after.length > 0 || pools.length > 0 || before.layer.kind !== "convolution") return false;
    before.layer = scaled(before.layer, layer);
    return true;
  }
  // Only what never turns the order of values round may go before a maximum.
  if (layer.kind === "elementwise" && pools.length > 0) return false;
  const { name } = layer;
  if (layer.kind === "relu") after.push({ kind: "relu", name });
  else if (layer.kind === "quantize") after.push({ ...layer, name });
  else after.push({ ...layer, name });
  return true;
}

/** A node that cannot join: pooling keeps the grid, all else is done to values that are passed on unchanged. */
function standing(
  layer: Exclude<RawLayer, SumDraft["layer"] | ProductLayer | ConcatLayer>,
  {
    from,
    input,
    drafts,
    open,
  }: {
    readonly from: number;
    readonly input: OnGrid;
    readonly drafts: Draft[];
    readonly open: (layer: ConvolutionLayer) => number;
  },
): number {
  if (layer.kind === "max-pool") {
    return drafts.push({ kind: "kept", layer: { ...layer, from } }) - 1;
  }
  const place = open(copyLayer(layer.name, from, plainView(layer.output)));
  const draft = drafts[place];
  // ReLU and functions are done to values on their grid, which putting them there again does not change.
  const isOnValues = layer.kind === "relu" || layer.kind === "elementwise";
  const grid = isOnValues ? quantizerBehind(drafts, from, input) : null;
  if (grid && grid.quantizer.scales.length > 1) {
    throw invalid(operatorOf(layer), "works on inputs of unlike grids beside each other");
  }
  if (draft?.kind === "sum" && grid) draft.after.push(grid);
  if (draft?.kind !== "sum" || !joins(draft, layer)) throw refuse(operatorOf(layer));
  return place;
}

/** Values that are multiplied, added or joined must lie on a grid. */
function requireGrid(
  layers: readonly RawLayer[],
  draft: Draft | undefined,
  reader: RawLayer,
): void {
  if (draft?.kind !== "sum") return;
  if (endsOnGrid(draft.after)) return;
  const made = layers.find(({ name }) => name === draft.layer.name) ?? draft.layer;
  throw invalid(operatorOf(reader), `works on values of "${made.name}" that are not quantised`);
}

const names: Readonly<Partial<Record<RawLayer["kind"], string>>> = {
  convolution: "Conv",
  "max-pool": "MaxPool",
  add: "Add",
  product: "MatMul",
  concat: "Concat",
  relu: "Relu",
};

const operatorOf = (layer: RawLayer) => ({
  name: layer.name,
  operator: "operator" in layer ? layer.operator : (names[layer.kind] ?? layer.kind),
});
