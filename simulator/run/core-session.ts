import { fail } from "@/lib/common/errors";
import { checkCorePorts } from "./core-ports";
import type { CoreAnswer, CoreShape } from "./core-runner";
import type { Simulation } from "./simulation";

/**
 * One row on its way through a core, a clock cycle at a time, with the inputs of `createCoreRunner`. In cycle 0 reset is
 * held; from cycle 1 on the row is offered. Between two steps the simulation is settled: what it shows is what the next
 * edge sees.
 */
export interface CoreSession {
  /** The present cycle. */
  readonly cycle: number;
  /** Bytes of the row that the core has taken. */
  readonly taken: number;
  /** Bytes of the answer so far. */
  readonly given: number;
  /** The answer, once its last byte was given. */
  readonly answer: CoreAnswer | null;
  /** Whether a byte passes a port at the end of the present cycle: valid and ready are both 1. */
  readonly transfers: boolean;
  /**
   * One clock edge.
   * @throws {AppError} `LINK_FAILED` when the core frames its answer wrongly.
   */
  step(): void;
}

/**
 * Resets a core and offers it a row.
 *
 * @throws {AppError} `ARTIFACT_MISMATCH` when the design is not a core; `INFER_INVALID` for a row of another length.
 */
export function startCoreSession(
  simulation: Simulation,
  { inputBytes, outputBytes }: CoreShape,
  row: Uint8Array,
): CoreSession {
  checkCorePorts(simulation);
  if (row.length !== inputBytes) {
    throw fail("INFER_INVALID", `A row has ${inputBytes} bytes, not ${row.length}.`);
  }
  const output = new Uint8Array(outputBytes);
  let [cycle, taken, given, cycles] = [0, 0, 0, 0];

  for (const name of ["in_valid", "in_data", "in_last", "out_ready"]) simulation.set(name, 0);
  simulation.set("rst", 1);
  simulation.reset();

  const isHigh = (name: string) => simulation.get(name) !== 0;
  const takes = () => isHigh("in_valid") && isHigh("in_ready");
  const gives = () => isHigh("out_valid") && isHigh("out_ready");

  const offer = (): void => {
    simulation.set("rst", 0);
    simulation.set("out_ready", 1);
    simulation.set("in_valid", taken < inputBytes ? 1 : 0);
    if (taken < inputBytes) simulation.set("in_data", row[taken] ?? 0);
    simulation.set("in_last", taken === inputBytes - 1 ? 1 : 0);
    simulation.eval();
  };

  const receive = (): void => {
    if (given === outputBytes) return;
    if (given === 0) cycles = simulation.get("cycles");
    output[given++] = simulation.get("out_data");
    if (isHigh("out_last") !== (given === outputBytes)) {
      throw fail("LINK_FAILED", `The core's answer does not end after ${outputBytes} bytes.`);
    }
  };

  return {
    get cycle() {
      return cycle;
    },
    get taken() {
      return taken;
    },
    get given() {
      return given;
    },
    get answer() {
      return given === outputBytes ? { output, cycles } : null;
    },
    get transfers() {
      return takes() || gives();
    },
    step() {
      if (gives()) receive();
      if (takes()) taken += 1;
      simulation.step();
      cycle += 1;
      offer();
    },
  };
}
