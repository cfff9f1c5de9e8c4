import { fail } from "@/lib/common/errors";
import type { Simulation } from "./simulation";

/** What one port or signal was over time, kept as changes: from `cycles[i]` on it was `values[i]`. */
export interface SignalTrace {
  readonly name: string;
  /** Bits, at most 53. */
  readonly width: number;
  /** Ascending; the first is the cycle in which recording began. */
  readonly cycles: Uint32Array;
  /** Unsigned. */
  readonly values: Float64Array;
}

export interface Trace {
  readonly signals: readonly SignalTrace[];
  /** Cycles recorded: they are 0 to one less than this. */
  readonly length: number;
}

export interface Recorder {
  /** Takes down the values of the cycle after the last one. */
  record(): void;
  /** A copy of what was recorded so far. */
  snapshot(): Trace;
}

const mostBits = 53;

/**
 * Records ports and kept signals of a simulation, cycle by cycle.
 *
 * @throws {AppError} `ARTIFACT_MISMATCH` for a name that is not there; `NUMBER_OUT_OF_RANGE` for one wider than 53 bits.
 */
export function createRecorder(simulation: Simulation, names: readonly string[]): Recorder {
  const { ports, signals } = simulation.interface;
  const lanes = names.map((name) => {
    const found = [...ports, ...signals].find((each) => each.name === name);
    if (!found) throw fail("ARTIFACT_MISMATCH", `The simulation shows nothing named ${name}.`);
    if (found.width > mostBits) {
      throw fail("NUMBER_OUT_OF_RANGE", `${name} is wider than ${mostBits} bits.`);
    }
    return new Lane(name, found.width);
  });
  let length = 0;
  return {
    record() {
      for (const lane of lanes) lane.add(length, simulation.get(lane.name));
      length += 1;
    },
    snapshot: () => ({ signals: lanes.map((lane) => lane.snapshot()), length }),
  };
}

/** Changes of one signal in arrays that grow by doubling. */
class Lane {
  readonly name: string;
  private readonly width: number;
  private count = 0;
  private last = Number.NaN;
  private cycles = new Uint32Array(64);
  private values = new Float64Array(64);

  constructor(name: string, width: number) {
    this.name = name;
    this.width = width;
  }

  add(cycle: number, value: number): void {
    if (value === this.last) return;
    if (this.count === this.cycles.length) {
      const [cycles, values] = [this.cycles, this.values];
      this.cycles = new Uint32Array(this.count * 2);
      this.cycles.set(cycles);
      this.values = new Float64Array(this.count * 2);
      this.values.set(values);
    }
    this.cycles[this.count] = cycle;
    this.values[this.count] = value;
    this.last = value;
    this.count += 1;
  }

  snapshot(): SignalTrace {
    const { name, width, count } = this;
    return {
      name,
      width,
      cycles: this.cycles.slice(0, count),
      values: this.values.slice(0, count),
    };
  }
}

/** The place of the change that holds in a cycle, or −1 before the first one. */
export function changeAt(cycles: Uint32Array, cycle: number): number {
  let [low, high] = [0, cycles.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cycles[middle] ?? 0) <= cycle) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The value of a signal in a cycle; 0 before the first one recorded. */
export function valueAt({ cycles, values }: SignalTrace, cycle: number): number {
  return values[changeAt(cycles, cycle)] ?? 0;
}
