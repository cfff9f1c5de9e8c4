import { fail } from "@/lib/common/errors";
import { checkCorePorts } from "./core-ports";
import type { Simulation } from "./simulation";

export interface CoreShape {
  readonly inputBytes: number;
  readonly outputBytes: number;
  /** Clock cycles one row may take before the core counts as dead. */
  readonly cycleLimit?: number;
}

export interface CoreAnswer {
  readonly output: Uint8Array;
  /** The core's own count, from its port `cycles`. */
  readonly cycles: number;
}

/** A value to look at, in the `cycle`th cycle after the one in which the core accepts the last input byte (1 is the next). */
export interface Observation {
  readonly signal: string;
  readonly cycle: number;
}

export interface ObservedAnswer extends CoreAnswer {
  /** The signals' bits, unsigned, in the order asked for. */
  readonly values: readonly bigint[];
}

export interface CoreRunner {
  /** Sends one row through the core. */
  run(row: Int8Array | Uint8Array): CoreAnswer;
  /** The same, looking at kept signals on the way. */
  runWithTaps(row: Int8Array | Uint8Array, taps: readonly Observation[]): ObservedAnswer;
}

const defaultCycleLimit = 10_000_000;

/**
 * Drives the stream port of a compiled core: a row of bytes in, an answer out. Resets the core first.
 *
 * @throws {AppError} `ARTIFACT_MISMATCH` when the design is not a core; `LINK_FAILED` from `run` when it does
 * not answer within the limit or frames its answer wrongly.
 */
export function createCoreRunner(simulation: Simulation, shape: CoreShape): CoreRunner {
  checkCorePorts(simulation);
  const { inputBytes, outputBytes, cycleLimit = defaultCycleLimit } = shape;

  const restart = (): void => {
    for (const name of ["in_valid", "in_data", "in_last", "out_ready"]) simulation.set(name, 0);
    simulation.reset();
    simulation.set("rst", 1);
    simulation.step();
    simulation.set("rst", 0);
    simulation.set("out_ready", 1);
    simulation.eval();
  };

  const stuck = (what: string): Error => {
    restart();
    return fail("LINK_FAILED", `The core ${what} within ${cycleLimit} clock cycles.`);
  };

  const misframed = (): Error => {
    restart();
    return fail("LINK_FAILED", `The core's answer does not end after ${outputBytes} bytes.`);
  };

  const send = (row: Int8Array | Uint8Array): void => {
    simulation.set("in_valid", 1);
    row.forEach((byte, index) => {
      simulation.set("in_data", byte);
      simulation.set("in_last", index === row.length - 1 ? 1 : 0);
      simulation.eval();
      simulation.stepUntil("in_ready", cycleLimit);
      if (simulation.get("in_ready") === 0) throw stuck(`took only ${index} bytes`);
      simulation.step();
    });
    simulation.set("in_valid", 0);
    simulation.eval();
  };

  const runWithTaps = (
    row: Int8Array | Uint8Array,
    taps: readonly Observation[],
  ): ObservedAnswer => {
    if (row.length !== inputBytes) {
      throw fail("INFER_INVALID", `A row has ${inputBytes} bytes, not ${row.length}.`);
    }
    const due = taps.map((tap, index) => ({ ...tap, index })).sort((a, b) => a.cycle - b.cycle);
    const values = taps.map(() => 0n);
    const output = new Uint8Array(outputBytes);
    let received = 0;
    let cycles = 0;
    let cycle = 1;
    let next = 0;
    send(row);
    while (received < outputBytes || next < due.length) {
      for (let tap = due[next]; tap && tap.cycle <= cycle; tap = due[++next]) {
        values[tap.index] = simulation.getBig(tap.signal);
      }
      if (received < outputBytes && simulation.get("out_valid") !== 0) {
        if (received === 0) cycles = simulation.get("cycles");
        output[received++] = simulation.get("out_data");
        if ((simulation.get("out_last") !== 0) !== (received === outputBytes)) {
          throw misframed();
        }
        simulation.step();
        cycle += 1;
        continue;
      }
      if (received === outputBytes && next === due.length) break;
      const room = Math.min(cycleLimit, due[next]?.cycle ?? cycleLimit) - cycle;
      if (room <= 0) throw stuck("did not answer");
      if (received < outputBytes) cycle += simulation.stepUntil("out_valid", room);
      else {
        simulation.step(room);
        cycle += room;
      }
    }
    return { output, cycles, values };
  };

  const run = (row: Int8Array | Uint8Array): CoreAnswer => {
    const answered =
      row.length === inputBytes ? simulation.answerRow(row, { outputBytes, cycleLimit }) : null;
    if (!answered) {
      const { output, cycles } = runWithTaps(row, []);
      return { output, cycles };
    }
    const { passed, output, cycles } = answered;
    if (passed < 0) throw misframed();
    if (passed < inputBytes) throw stuck(`took only ${passed} bytes`);
    if (passed < inputBytes + outputBytes) throw stuck("did not answer");
    return { output, cycles };
  };

  restart();
  return {
    run,
    runWithTaps: (row, taps) =>
      taps.length > 0 ? runWithTaps(row, taps) : { ...run(row), values: [] },
  };
}
