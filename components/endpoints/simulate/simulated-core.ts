import {
  type CoreSession,
  type CoreShape,
  createRecorder,
  loadSimulation,
  type Recorder,
  type Simulation,
  startCoreSession,
  type Trace,
  writeVcd,
} from "@/simulator/run";
import type { Goal, Progress } from "./messages";
import { Problem } from "./problem";

export interface SimulatedCoreLimits {
  /** Cycles that are recorded: a wave of more is not looked at, and its dump would fill the disk. */
  readonly recordedCycles: number;
  /** Cycles after which a core without an answer counts as dead. */
  readonly cycleLimit: number;
}

const defaultLimits = { recordedCycles: 1_000_000, cycleLimit: 50_000_000 };
/** Values of the graph's nodes that are recorded beside the ports; an unrolled design has one for each neuron. */
const mostInnerSignals = 64;
const widestBits = 53;

/** A loaded core with the row that is in it and what its ports were since. */
export class SimulatedCore {
  private readonly simulation: Simulation;
  private readonly shape: CoreShape;
  private readonly limits: SimulatedCoreLimits;
  private session: CoreSession | null = null;
  private recorder: Recorder | null = null;

  /** @throws {AppError} `ARTIFACT_MISMATCH` */
  constructor(wasm: Uint8Array, shape: CoreShape, limits: SimulatedCoreLimits = defaultLimits) {
    this.simulation = loadSimulation(wasm);
    this.shape = shape;
    this.limits = limits;
  }

  get cells(): number {
    return this.simulation.interface.cells;
  }

  start(row: Uint8Array): void {
    const { clock, ports, signals } = this.simulation.interface;
    const inner = signals.filter(({ width }) => width <= widestBits).slice(0, mostInnerSignals);
    const names = [...ports, ...inner].map(({ name }) => name).filter((name) => name !== clock);
    this.session = startCoreSession(this.simulation, this.shape, row);
    this.recorder = createRecorder(this.simulation, names);
    this.recorder.record();
  }

  /**
   * Runs on towards a goal, at most so many cycles.
   *
   * @returns Whether it was reached.
   * @throws {Problem} `LINK_FAILED` when the core does not answer.
   * @throws {AppError} `LINK_FAILED` when it frames its answer wrongly.
   */
  advance(goal: Goal, mostCycles: number): boolean {
    const { session } = this;
    if (!session) throw new Error("no row was started");
    const { cycleLimit, recordedCycles } = this.limits;
    for (let stepped = 0; stepped < mostCycles; stepped++) {
      if (goal === "answer" && session.answer) return true;
      if (session.cycle >= cycleLimit) {
        throw new Problem("noAnswer", { cycles: cycleLimit });
      }
      session.step();
      if (session.cycle < recordedCycles) this.recorder?.record();
      if (goal === "cycle") return true;
      if (goal === "transfer" && (session.transfers || session.answer)) return true;
    }
    return false;
  }

  get progress(): Progress {
    const { cycle = 0, taken = 0, given = 0, answer = null } = this.session ?? {};
    return { cycle, taken, given, answer };
  }

  get trace(): Trace {
    return this.recorder?.snapshot() ?? { signals: [], length: 0 };
  }

  dump(clockHz: number, comment: string): readonly string[] {
    const { top, clock } = this.simulation.interface;
    return writeVcd(this.trace, { top, clock: clock ?? "clk", clockHz, comment });
  }
}
