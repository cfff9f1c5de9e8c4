import { type Range, trailingZeros, widthOf } from "../../integer/range";
import type { Network, NetworkLayer, Signal, Term } from "./network";

/** A signal as `Σ coefficients[i] · input i + constant` of the layer at hand, and the adders between them. */
interface Facts {
  readonly coefficients: Float64Array;
  readonly constant: number;
  /** Adders and clamps on the longest way from the row's inputs. */
  readonly level: number;
}

/** Collects the signals of a network; a sum that is already there is not made again. */
export class NetworkBuilder {
  private readonly signals: Signal[] = [];
  private readonly facts: Facts[] = [];
  private readonly layers: NetworkLayer[] = [];
  private known = new Map<string, number>();
  private inputRanges: readonly Range[] = [];

  /** An input of the whole network. */
  input(element: number, range: Range): number {
    return this.push({ kind: "input", element, ...range }, noFacts);
  }

  /** Begins a layer: from here on signals are sums of these inputs. */
  openLayer(inputs: readonly (number | null)[]): void {
    this.known = new Map();
    this.inputRanges = inputs.map((id) => (id === null ? { min: 0, max: 0 } : this.rangeOf(id)));
    for (const [index, id] of inputs.entries()) {
      if (id === null) continue;
      const coefficients = new Float64Array(inputs.length);
      coefficients[index] = 1;
      this.facts[id] = { coefficients, constant: 0, level: this.levelOf(id) };
    }
  }

  closeLayer(layer: NetworkLayer): void {
    this.layers.push(layer);
  }

  /** Forgets the layer opened last, closed or not, so that it can be made in another way. */
  reopenLayer(inputs: readonly (number | null)[], signals: number, layers: number): void {
    this.signals.length = signals;
    this.facts.length = signals;
    this.layers.length = layers;
    this.openLayer(inputs);
  }

  /** `left ± right · 2^shift`. */
  sum(left: number, right: Term): number {
    const { signal, shift, negative } = right;
    const swap = shift === 0 && !negative && signal < left;
    const [first, second] = swap ? [signal, left] : [left, signal];
    return this.once(`${first} ${negative ? "-" : "+"} ${second} ${shift}`, () => {
      const facts = this.factsOfSum(first, { signal: second, shift, negative });
      const range = this.rangeOfFacts(facts);
      return this.push(
        { kind: "sum", left: first, right: second, shift, negative, ...range },
        facts,
      );
    });
  }

  /** `left + right · 2^shift + constant`. */
  biased(left: number, right: Omit<Term, "negative">, constant: number): number {
    const { signal, shift } = right;
    return this.once(`${left} + ${signal} ${shift} + ${constant}`, () => {
      const of = this.factsOfSum(left, { signal, shift, negative: false });
      const facts = { ...of, constant: of.constant + constant };
      const range = this.rangeOfFacts(facts);
      return this.push({ kind: "biased", left, right: signal, shift, constant, ...range }, facts);
    });
  }

  /** `constant ± source`. */
  offset(source: number, negative: boolean, constant: number): number {
    return this.once(`${constant} ${negative ? "-" : "+"} ${source}`, () => {
      const of = this.factsOf(source);
      const facts = {
        coefficients: of.coefficients.map((value) => (negative ? -value : value)),
        constant: constant + (negative ? -of.constant : of.constant),
        level: of.level + 1,
      };
      const range = this.rangeOfFacts(facts);
      return this.push({ kind: "offset", source, negative, constant, ...range }, facts);
    });
  }

  clamp(clamp: Omit<Extract<Signal, { kind: "clamp" }>, "kind">): number {
    const source = this.rangeOf(clamp.source);
    const free = isWiring({ kind: "clamp", ...clamp }, source);
    return this.push(
      { kind: "clamp", ...clamp },
      { ...noFacts, level: this.levelOf(clamp.source) + (free ? 0 : 1) },
    );
  }

  /** One lookup in the table of a layer; its register ends a cycle. */
  table(source: number, layer: number, range: Range): number {
    const level = this.levelOf(source) + 1;
    return this.push({ kind: "table", source, layer, ...range }, { ...noFacts, level });
  }

  /** What a sum would be at most, without making it: not exact where both operands depend on the same input. */
  roughRangeOfSum(left: number, { signal, shift, negative }: Term): Range {
    const a = this.rangeOf(left);
    const b = this.rangeOf(signal);
    const scale = 2 ** shift;
    return negative
      ? { min: a.min - scale * b.max, max: a.max - scale * b.min }
      : { min: a.min + scale * b.min, max: a.max + scale * b.max };
  }

  rangeOf(id: number): Range {
    const signal = this.signals[id];
    if (!signal) throw new RangeError(`There is no signal ${id}.`);
    return signal;
  }

  levelOf(id: number): number {
    return this.factsOf(id).level;
  }

  finish(): Network {
    return { signals: this.signals, layers: this.layers };
  }

  private factsOf(id: number): Facts {
    const facts = this.facts[id];
    if (!facts) throw new RangeError(`There is no signal ${id}.`);
    return facts;
  }

  private factsOfSum(left: number, { signal, shift, negative }: Term): Facts {
    const a = this.factsOf(left);
    const b = this.factsOf(signal);
    const factor = (negative ? -1 : 1) * 2 ** shift;
    return {
      coefficients: a.coefficients.map((value, i) => value + factor * (b.coefficients[i] ?? 0)),
      constant: a.constant + factor * b.constant,
      level: Math.max(a.level, b.level) + 1,
    };
  }

  private rangeOfFacts({ coefficients, constant }: Facts): Range {
    let min = constant;
    let max = constant;
    for (const [index, { min: low, max: high }] of this.inputRanges.entries()) {
      const factor = coefficients[index] ?? 0;
      if (factor === 0) continue;
      min += factor * (factor > 0 ? low : high);
      max += factor * (factor > 0 ? high : low);
    }
    return { min, max };
  }

  private once(key: string, make: () => number): number {
    const found = this.known.get(key);
    if (found !== undefined) return found;
    const id = make();
    this.known.set(key, id);
    return id;
  }

  private push(signal: Signal, facts: Facts): number {
    this.signals.push(signal);
    this.facts.push(facts);
    return this.signals.length - 1;
  }
}

const noFacts: Facts = { coefficients: new Float64Array(), constant: 0, level: 0 };

/** Whether a clamp never reaches its bounds, so that it is wires only. */
export function isWiring(signal: Extract<Signal, { kind: "clamp" }>, source: Range): boolean {
  if (signal.toEven) return false;
  const { min, max } = shifted(source, signal.drop, signal.constant);
  return min >= signal.bounds.min && max <= signal.bounds.max;
}

/** The range after `drop` low bits went, or zeros came with a constant in them. */
export function shifted({ min, max }: Range, drop: number, constant: number): Range {
  const scale = 2 ** -drop;
  return { min: Math.floor(min * scale) + constant, max: Math.floor(max * scale) + constant };
}

/** Low bits of a sum with a constant that are wires: below the right operand and the constant. */
export const wiresBelow = (shift: number, constant: number): number =>
  Math.min(shift, trailingZeros(constant));

/** Bits of the adder of a sum: all but the low ones, which are wires. None where the operands do not overlap. */
export function adderWidth(
  left: Range,
  { shift, negative }: Pick<Term, "shift" | "negative">,
  sum: Range,
): number {
  if (!negative && left.min >= 0 && left.max < 2 ** shift) return 0;
  return Math.max(0, widthOf(sum) - shift);
}
