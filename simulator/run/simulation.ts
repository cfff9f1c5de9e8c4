import { fail } from "@/lib/common/errors";
import { type SimulationInterface, simulationInterfaceSchema } from "../interface";

/** A compiled design, running. Names are those of ports and kept signals. */
export interface Simulation {
  readonly interface: SimulationInterface;
  /** Sets an input; takes effect with the next `eval` or step. Extra high bits are cut, negatives wrap. */
  set(name: string, value: number | bigint): void;
  /** The settled value of a port or signal. @throws {AppError} `NUMBER_OUT_OF_RANGE` above 2^53. */
  get(name: string): number;
  getBig(name: string): bigint;
  /** Settles combinational logic after inputs changed. */
  eval(): void;
  /** Runs clock cycles (1 by default) with the inputs as they are, then settles. */
  step(cycles?: number): void;
  /** Steps until the port or signal is not 0, at most `limit` cycles; answers the cycles stepped, 0 if it is so already. */
  stepUntil(name: string, limit: number): number;
  /** Steps until the port or signal is 0, likewise. */
  stepWhile(name: string, limit: number): number;
  /** Restores the initial registers and memories and settles; inputs stay. */
  reset(): void;
  /**
   * Sends a row through a core, whose `out_ready` is 1, and takes its answer; resets nothing. Null when the module cannot:
   * it is no core or older than the export, or row and answer do not fit its page.
   */
  answerRow(row: ArrayLike<number>, shape: RowShape): AnsweredRow | null;
}

export interface RowShape {
  readonly outputBytes: number;
  /** Clock cycles to wait for the core to take a byte, and for its answer. */
  readonly cycleLimit: number;
}

export interface AnsweredRow {
  /** Bytes of row and answer that passed; -1 when the core marked another byte of its answer as the last. */
  readonly passed: number;
  readonly output: Uint8Array;
  /** The port `cycles` as the first byte of the answer passed. */
  readonly cycles: number;
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly reset: () => void;
  readonly eval: () => void;
  readonly step: (cycles: number) => void;
  readonly stepUntil: (offset: number, limit: number) => number;
  readonly stepWhile: (offset: number, limit: number) => number;
  readonly answerRow?: (
    row: number,
    rowBytes: number,
    answer: number,
    answerBytes: number,
    limit: number,
  ) => number;
}

const sectionName = "boardwalk.simulation";
const functionNames = ["reset", "eval", "step", "stepUntil", "stepWhile"] as const;

const invalid = (message: string, cause?: unknown): Error =>
  fail("ARTIFACT_MISMATCH", `This is not a simulation: ${message}.`, { cause });

/**
 * Loads a module made by `compileNetlist`, in its initial state and settled. The bytes are checked first: a module
 * that imports anything, or whose interface does not fit its memory, is refused and none of its code runs.
 *
 * @throws {AppError} `ARTIFACT_MISMATCH`
 */
export function loadSimulation(bytes: Uint8Array): Simulation {
  const module = compileModule(bytes);
  if (WebAssembly.Module.imports(module).length > 0) throw invalid("the module imports something");
  const description = readInterface(module);
  const exports = checkExports(new WebAssembly.Instance(module));
  exports.reset();
  return createSimulation(description, exports);
}

function compileModule(bytes: Uint8Array): WebAssembly.Module {
  if (hasStartSection(bytes)) throw invalid("the module runs code when it is loaded");
  try {
    return new WebAssembly.Module(new Uint8Array(bytes));
  } catch (cause) {
    throw invalid("it is not a WebAssembly module", cause);
  }
}

/** Walks the section headers; a malformed file is left to the engine's own check. */
function hasStartSection(bytes: Uint8Array): boolean {
  const startSection = 8;
  let at = 8;
  while (at < bytes.length) {
    const id = bytes[at++];
    let size = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      size += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
    }
    if (id === startSection) return true;
    at += size;
  }
  return false;
}

function readInterface(module: WebAssembly.Module): SimulationInterface {
  const [section, extra] = WebAssembly.Module.customSections(module, sectionName);
  if (!section || extra) throw invalid(`it needs exactly one section ${sectionName}`);
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(section));
  } catch (cause) {
    throw invalid("its interface is not JSON", cause);
  }
  const parsed = simulationInterfaceSchema.safeParse(json);
  if (!parsed.success) throw invalid("its interface does not fit version 1", parsed.error);
  return parsed.data;
}

function checkExports({ exports }: WebAssembly.Instance): Exports {
  const { memory } = exports;
  if (!(memory instanceof WebAssembly.Memory)) throw invalid("it exports no memory");
  for (const name of functionNames) {
    if (typeof exports[name] !== "function") throw invalid(`it exports no function ${name}`);
  }
  return exports as unknown as Exports;
}

function createSimulation(description: SimulationInterface, exports: Exports): Simulation {
  const view = new DataView(exports.memory.buffer);
  const slots = new Map<string, { offset: number; width: number; input: boolean }>();
  for (const { name, width, offset } of description.signals) {
    slots.set(name, { offset, width, input: false });
  }
  for (const { name, width, offset, direction } of description.ports) {
    slots.set(name, { offset, width, input: direction === "in" });
  }
  for (const [name, { offset }] of slots) {
    if (offset % 8 !== 0 || offset + 8 > view.byteLength) {
      throw invalid(`the slot of ${name} lies outside its memory`);
    }
  }
  const slotOf = (name: string): { offset: number; width: number; input: boolean } => {
    const slot = slots.get(name);
    if (!slot) throw fail("ARTIFACT_MISMATCH", `The simulation shows nothing named ${name}.`);
    return slot;
  };
  const getBig = (name: string): bigint => view.getBigUint64(slotOf(name).offset, true);

  return {
    interface: description,
    set(name, value) {
      const { offset, width, input } = slotOf(name);
      if (!input) throw fail("ARTIFACT_MISMATCH", `${name} is not an input of the simulation.`);
      if (typeof value === "number" && width <= 32) {
        const cut = width === 32 ? value >>> 0 : value & (2 ** width - 1);
        view.setUint32(offset, cut, true);
      } else {
        view.setBigUint64(offset, BigInt.asUintN(width, BigInt(value)), true);
      }
    },
    get(name) {
      const { offset } = slotOf(name);
      const value = view.getUint32(offset + 4, true) * 2 ** 32 + view.getUint32(offset, true);
      if (Number.isSafeInteger(value)) return value;
      throw fail("NUMBER_OUT_OF_RANGE", `${name} holds more than 53 bits; read it with getBig.`);
    },
    getBig,
    eval: () => exports.eval(),
    step: (cycles = 1) => exports.step(cycles),
    stepUntil: (name, limit) => exports.stepUntil(slotOf(name).offset, limit),
    stepWhile: (name, limit) => exports.stepWhile(slotOf(name).offset, limit),
    reset: () => exports.reset(),
    answerRow: rowAnswerer(exports),
  };
}

/** The last page of a core's memory is the caller's: the row, then the cycles as 32 bits, then the answer. */
const rowPageBytes = 65_536;
const cyclesBytes = 4;

function rowAnswerer({ memory, answerRow }: Exports): Simulation["answerRow"] {
  if (typeof answerRow !== "function") return () => null;
  const view = new DataView(memory.buffer);
  const bytes = new Uint8Array(memory.buffer);
  const start = bytes.length - rowPageBytes;
  return (row, { outputBytes, cycleLimit }) => {
    const answer = start + row.length;
    if (row.length + cyclesBytes + outputBytes > rowPageBytes) return null;
    for (let index = 0; index < row.length; index++) bytes[start + index] = row[index] ?? 0;
    const passed = answerRow(start, row.length, answer, outputBytes, cycleLimit);
    const output = bytes.slice(answer + cyclesBytes, answer + cyclesBytes + outputBytes);
    return { passed, output, cycles: view.getUint32(answer, true) };
  };
}
