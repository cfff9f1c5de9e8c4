import { type Range, widthOf } from "../../integer/range";
import type { Value } from "./network";
import { isWiring, type NetworkBuilder, shifted } from "./network-builder";

/** What a requantisation makes of a sum: wires where no bound can be reached, else one stage of logic. */
export function clampedValue(
  builder: NetworkBuilder,
  sum: Value,
  {
    shift,
    toEven,
    bounds,
    centred,
  }: {
    readonly shift: number;
    readonly toEven: boolean;
    readonly bounds: Range;
    /** Whether natural numbers may be had around 0, for adders without a bare carry at the top. */
    readonly centred: boolean;
  },
): Value {
  const clamp = (value: number) => Math.min(bounds.max, Math.max(bounds.min, value));
  const scale = 2 ** shift;
  // Half way between two steps, nothing is left below them once half a step is added.
  const isHalf = toEven && sum.constant % scale === 0;
  const even = (value: number) => (isHalf && value % 2 !== 0 ? value - 1 : value);
  if (sum.kind === "constant") {
    return { kind: "constant", constant: clamp(even(Math.floor(sum.constant / scale))) };
  }
  const { term } = sum;
  const drop = shift - term.shift;
  const constant = drop < 0 ? even(Math.floor(sum.constant / scale)) : 0;
  const { min, max } = shifted(builder.rangeOf(term.signal), drop, constant);
  const goesDown = isHalf && drop >= 0;
  const range = { min: clamp(goesDown ? even(min) : min), max: clamp(max) };
  if (range.min === range.max) return { kind: "constant", constant: range.min };
  const clamped = {
    source: term.signal,
    drop,
    constant,
    bounds,
    ...(goesDown ? { toEven: true } : {}),
    ...range,
  };
  const isLogic = !isWiring({ kind: "clamp", ...clamped }, builder.rangeOf(term.signal));
  const centre = centred && isLogic && range.min >= 0 ? 2 ** (widthOf(range) - 1) : 0;
  const signal = builder.clamp(
    centre === 0
      ? clamped
      : { ...clamped, centre, min: range.min - centre, max: range.max - centre },
  );
  return { kind: "term", term: { signal, shift: 0, negative: false }, constant: centre };
}
