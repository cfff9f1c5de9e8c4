import type { FamilyCosts } from "@/boards";
import { widthOf } from "../../integer/range";
import { invertedRegisters, registerKey } from "./inverted-registers";
import type { Network } from "./network";
import type { Pipeline } from "./pipeline";

/** In which form registers hold values, and what the adders of a network read. */
export interface OperandForms {
  /** Registers that hold the complement of their value, by `registerKey()`. */
  readonly inverted: ReadonlySet<number>;
  /** Values that registers hold in both forms. */
  readonly twins: ReadonlySet<number>;
  /** By sum, the operand that it takes in the other form than `inverted` says; none where both suit. */
  readonly turned: ReadonlyMap<number, TurnedOperand>;
}

interface TurnedOperand {
  readonly side: "left" | "right";
  /** Whether a register holds that form, so that nothing is inverted before the carry chain. */
  readonly fromTwin: boolean;
}

/**
 * Sums and differences of the same values need them in both forms. What a clamp made is then held twice, since its logic
 * is short; of other operands, the one is inverted before the carry chain that has fewer bits there.
 */
export function operandForms(
  network: Network,
  pipeline: Pipeline,
  costs: FamilyCosts,
): OperandForms {
  const { signals } = network;
  const { cycles, delays } = pipeline;
  const inverted = invertedRegisters(network, pipeline, costs);
  const turned = new Map<number, TurnedOperand>();
  const twins = new Set<number>();
  if (!costs.needsComplements) return { inverted, twins, turned };
  const sides = ["left", "right"] as const;
  const unsuited: { id: number; left: number; right: number }[] = [];
  const uses = new Map<number, number>();
  for (const [id, signal] of signals.entries()) {
    if (signal.kind !== "sum") continue;
    const { left, right, negative, shift } = signal;
    const delayOf = (source: number) => (cycles[id] ?? 0) - (cycles[source] ?? 0);
    const isInverted = (source: number) => inverted.has(registerKey(source, delayOf(source)));
    if (negative === (isInverted(left) !== isInverted(right))) continue;
    const width = (source: number) => widthOf(signals[source] ?? { min: 0, max: 0 });
    const side = Math.max(1, width(left) - shift) < width(right) ? "left" : "right";
    turned.set(id, { side, fromTwin: false });
    const canTwin = (source: number) =>
      signals[source]?.kind === "clamp" && delayOf(source) === 1 && (delays[source] ?? 0) > 0;
    unsuited.push({ id, left: canTwin(left) ? left : -1, right: canTwin(right) ? right : -1 });
    for (const source of new Set([left, right])) {
      if (canTwin(source)) uses.set(source, (uses.get(source) ?? 0) + 1);
    }
  }
  const mostUsed = [...uses].sort(([, a], [, b]) => b - a).map(([source]) => source);
  for (const source of mostUsed) {
    for (const sum of unsuited) {
      const side = sides.find((each) => sum[each] === source);
      if (side === undefined || turned.get(sum.id)?.fromTwin) continue;
      turned.set(sum.id, { side, fromTwin: true });
      twins.add(source);
    }
  }
  return { inverted, twins, turned };
}
