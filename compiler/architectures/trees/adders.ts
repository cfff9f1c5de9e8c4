import { type Range, widthOf } from "../../integer/range";

/** A register or constant that is added, with the range of its values. */
export interface Operand extends Range {
  /** Verilog of it. */
  readonly text: string;
}

/** One registered addition; without `right` a register that only waits. */
export interface Adder extends Operand {
  readonly left: Operand;
  readonly right: Operand | null;
}

export interface AdderTree {
  /** Levels of registers; results of each, in the order of the levels. */
  readonly levels: readonly (readonly Adder[])[];
  readonly result: Operand;
}

/**
 * Sums operands two by two, the narrowest first, a register after each addition. The bias takes the place of an operand
 * that would only wait, so it seldom costs a level.
 *
 * @param name What the registers' names start with.
 */
export function buildAdders(operands: readonly Operand[], bias: number, name: string): AdderTree {
  const levels: Adder[][] = [];
  const constant: Operand = { text: constantOf(bias), min: bias, max: bias };
  let open = [...operands];
  let isAdded = bias === 0;
  while (open.length > 1 || !isAdded || levels.length === 0) {
    open.sort((a, b) => widthOf(a) - widthOf(b));
    const level: Adder[] = [];
    const start = open.length % 2;
    const [narrowest] = open;
    const text = () => `${name}_${levels.length}_${level.length}`;
    if (start === 1 && narrowest) {
      const right = isAdded ? null : constant;
      isAdded = true;
      level.push(adderOf(text(), narrowest, right));
    }
    for (let at = start; at < open.length; at += 2) {
      const [left, right] = [open[at], open[at + 1]];
      if (left && right) level.push(adderOf(text(), left, right));
    }
    levels.push(level);
    open = [...level];
    if (level.length === 0) {
      // Nothing but a bias.
      const only = adderOf(`${name}_0_0`, constant, null);
      level.push(only);
      open = [only];
      isAdded = true;
    }
  }
  const [result] = open;
  if (!result) throw new RangeError("A sum has a result.");
  return { levels, result };
}

/** Waits until all sums of a row are there: the result through as many registers as are missing. */
export function delayedTo(tree: AdderTree, depth: number, name: string): AdderTree {
  const levels = [...tree.levels];
  let { result } = tree;
  while (levels.length < depth) {
    const waiting = adderOf(`${name}_${levels.length}_0`, result, null);
    levels.push([waiting]);
    result = waiting;
  }
  return { levels, result };
}

/** What a negative operand is part of stays signed, though it may never be negative itself. */
function adderOf(text: string, left: Operand, right: Operand | null): Adder {
  const isSigned = left.min < 0 || (right?.min ?? 0) < 0;
  const min = left.min + (right?.min ?? 0);
  const max = left.max + (right?.max ?? 0);
  return { text, left, right, min: isSigned ? Math.min(min, -1) : min, max };
}

function constantOf(value: number): string {
  const width = widthOf({ min: Math.min(0, value), max: value });
  return value < 0 ? `-${width + 1}'sd${-value}` : `${width}'d${value}`;
}
