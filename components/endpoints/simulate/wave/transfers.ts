import type { SignalTrace, Trace } from "@/simulator/run";
import { bothHigh } from "./segments";

/** The stream ports of a core in the order that people read them: what goes in, what comes out, the count. */
const order = [
  "rst",
  "in_valid",
  "in_ready",
  "in_data",
  "in_last",
  "out_valid",
  "out_ready",
  "out_data",
  "out_last",
  "cycles",
];

export interface Transfers {
  readonly cycles: Uint32Array;
  readonly values: Float64Array;
}

/** Whether a signal is a port of the core, not a value inside it. */
export const isPort = ({ name }: SignalTrace): boolean => order.includes(name);

/** Signals of a trace in the order of the view; those that it does not know follow as they are. */
export function orderSignals({ signals }: Trace): readonly SignalTrace[] {
  const place = ({ name }: SignalTrace) =>
    order.includes(name) ? order.indexOf(name) : order.length;
  return signals.toSorted((a, b) => place(a) - place(b));
}

/** When a byte passes the port of that side, as a signal. */
export function transfersOf({ signals }: Trace, side: "in" | "out"): Transfers | null {
  const valid = signals.find(({ name }) => name === `${side}_valid`);
  const ready = signals.find(({ name }) => name === `${side}_ready`);
  return valid && ready ? bothHigh(valid, ready) : null;
}

/** The nearest cycle before or after one in which a byte passes a port; null where there is none. */
export function nextTransfer(
  sides: readonly (Transfers | null)[],
  from: number,
  direction: 1 | -1,
  length: number,
): number | null {
  const found = sides.flatMap((side) => {
    if (!side) return [];
    const { cycles, values } = side;
    const near: number[] = [];
    for (let i = 0; i < cycles.length; i++) {
      if (values[i] === 0) continue;
      const [first, end] = [cycles[i] ?? 0, cycles[i + 1] ?? length];
      const wanted = from + direction;
      if (direction === 1 ? end > wanted : first <= wanted) {
        near.push(direction === 1 ? Math.max(first, wanted) : Math.min(end - 1, wanted));
        if (direction === 1) break;
      }
    }
    const nearest = near.at(-1);
    return nearest === undefined ? [] : [nearest];
  });
  if (found.length === 0) return null;
  return direction === 1 ? Math.min(...found) : Math.max(...found);
}
