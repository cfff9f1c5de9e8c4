import type { FamilyCosts } from "@/boards";
import { type Precision, precisions, weightBitsOf } from "../../passes/precision";
import { heldBits } from "./held-bits";
import { costsKey } from "./network-costs";
import type { UnrolledFigures, UnrolledOutline } from "./unrolled-outline";

type Bits = UnrolledOutline["at"];

/**
 * The figures of an unrolled net on a family: counted, where a network was built for such costs at these bits; else what
 * nets with as many digits usually have, moved by how far that is off at the nearest bits for which one was built.
 */
export function figuresFor(outline: UnrolledOutline, costs: FamilyCosts): UnrolledFigures {
  const key = costsKey(costs);
  const at = outline.at ?? null;
  const nearest = outline.built
    .flatMap(({ precision, figures }) => {
      const own = figures[key];
      return own ? [{ precision, own, distance: distanceOf(outline, at, precision) }] : [];
    })
    .sort((a, b) => a.distance - b.distance)[0];
  if (nearest?.distance === 0) return nearest.own;
  const usual = usualFigures(outline, at, costs);
  if (!nearest) return usual;
  const there = usualFigures(outline, nearest.precision, costs);
  const scaled = (figure: "lut" | "flipFlops") =>
    Math.round((usual[figure] * nearest.own[figure]) / there[figure]);
  return {
    ...usual,
    lut: scaled("lut"),
    flipFlops: scaled("flipFlops"),
    latencyCycles: usual.latencyCycles + nearest.own.latencyCycles - there.latencyCycles,
  };
}

const defaults: Precision = precisions["exact-ish"];

/** Bits between two precisions, those of weights by layer; null is the model's own, or the default one. */
function distanceOf({ layers }: UnrolledOutline, a: Bits, b: Bits): number {
  const [left, right] = [a ?? defaults, b ?? defaults];
  const weights = layers.reduce(
    (sum, _, layer) => sum + Math.abs(weightBitsOf(left, layer) - weightBitsOf(right, layer)),
    0,
  );
  const { inputBits, activationBits } = right;
  return (
    weights / layers.length +
    Math.abs(left.inputBits - inputBits) +
    Math.abs(left.activationBits - activationBits)
  );
}

const flipFlopCost: FamilyCosts["digit"] = { cells: 12.8, growth: 0.8 };
/** Nets with more digits have more to share: cells grow as this power of them. */
const sharing = 0.945;
/** From the row to its place, and from the last register to the answer. */
const cyclesAround = 2;
/** Of weights: where lists by bits begin. */
const fewestBits = 2;

/** What an unrolled net comes to, by the digits of its weights. */
function usualFigures(
  { inputs, inputBits, scoreBits, layers }: UnrolledOutline,
  at: Bits,
  costs: FamilyCosts,
): UnrolledFigures {
  const counted = layers.map((layer, index) => ({
    digits: atBits(layer.digits, weightBitsOf(at ?? defaults, index)),
    levels: atBits(layer.levels, weightBitsOf(at ?? defaults, index)),
    valueBits:
      index === 0
        ? (at?.inputBits ?? inputBits)
        : (at?.activationBits ?? layers[index - 1]?.valueBits ?? defaults.activationBits),
  }));
  const total = (of: (layer: (typeof counted)[number]) => number) =>
    counted.reduce((sum, layer) => sum + of(layer), 0);
  const digits = Math.max(
    1,
    total((layer) => layer.digits),
  );
  const valueBits = total((layer) => layer.digits * layer.valueBits) / digits;
  const held = heldBits(inputs, scoreBits);
  const cells = ({ cells: perDigit, growth }: FamilyCosts["digit"]) =>
    Math.ceil(perDigit * digits ** sharing * (valueBits / 8) ** growth) + held;
  return {
    lut: cells(costs.digit),
    flipFlops: cells(flipFlopCost),
    latencyCycles: cyclesAround + total((layer) => layer.levels),
    tables: layers.flatMap(({ outputs, valueBits: own, tableBits }) =>
      tableBits === null
        ? []
        : [{ count: outputs, bits: 2 ** tableBits * (at?.activationBits ?? own) }],
    ),
  };
}

/** A figure of a layer at so many bits of its weights; of a model with its own bits there is one. */
const atBits = (figures: readonly number[], bits: number): number =>
  figures[Math.min(Math.max(0, bits - fewestBits), figures.length - 1)] ?? 0;
