import { fail } from "@/lib/common/errors";
import { Circuit } from "./circuit";
import { clockOf } from "./clock";
import { type CellRule, combinationalRules } from "./combinational";
import type { Design, Memory, MemoryWrite, Register, Visible } from "./design";
import { levelize, type Task } from "./levelize";
import { addMemory, type MemorySink } from "./memories";
import { type Bit, type Cell, connection, type Netlist } from "./netlist";
import { addRegister, planRegister, registerCells } from "./registers";
import { splitBits } from "./split-bits";
import { Wiring } from "./wiring";
import { Words } from "./words";

/** Cells that describe or observe a design and compute nothing that is simulated. */
const silentCells: ReadonlySet<string> = new Set([
  "$scopeinfo",
  "$print",
  "$check",
  "$assert",
  "$assume",
  "$cover",
  "$live",
  "$fair",
]);

export interface DesignOptions {
  /** Nets to keep visible, by their name in the netlist. */
  readonly signals: readonly string[];
  readonly clock: string | undefined;
}

/**
 * Turns a netlist into a design of words of at most 64 bits, in an order in which it can be computed.
 *
 * @throws {AppError} `CELL_UNSUPPORTED` naming a cell, clock or width that the simulator does not take;
 * `NETLIST_INVALID` for loops, missing nets and contradictions.
 */
export function buildDesign(netlist: Netlist, options: DesignOptions): Design {
  const circuit = new Circuit();
  const words = new Words(circuit);
  const wiring = new Wiring(words);
  const cells = netlist.cells.filter((cell) => !silentCells.has(cell.type));
  const registers: Register[] = [];
  const memories: Memory[] = [];
  const writes: MemoryWrite[] = [];
  const tasks: Task[] = [];
  const finishers: (() => void)[] = [];
  let slots = 0;
  const sink: MemorySink = {
    words,
    wiring,
    registers,
    memories,
    writes,
    nextSlot: () => slots++,
    addTask: (task) => tasks.push(task),
    finally: (finish) => finishers.push(finish),
  };

  for (const cell of cells) refuseUnknown(cell);
  const clock = clockOf(netlist, cells, options.clock);
  const inputs = netlist.ports.filter((port) => port.direction === "in");
  for (const { name, bits } of inputs) {
    checkWidth(`Port ${name}`, bits);
    const load = circuit.load(sink.nextSlot(), bits.length);
    if (name === clock?.name) wiring.reserveClock(clock.bit);
    else wiring.drive(bits, words.fromNode(load), `port ${name}`);
  }

  const initialOf = (bits: readonly Bit[]): ("0" | "1")[] =>
    bits.map((bit) => (typeof bit === "number" ? (netlist.initial.get(bit) ?? "0") : "0"));
  for (const cell of cells) {
    const rule = combinationalRules.get(cell.type);
    const controls = registerCells.get(cell.type);
    if (rule) tasks.push(combinationalTask(cell, rule, words, wiring));
    else if (controls) addRegister(sink, planRegister(cell, controls, sink, initialOf));
    else addMemory(sink, cell);
  }

  for (const task of levelize(tasks, bitNamer(netlist))) task.build();
  for (const finish of finishers) finish();

  const visible = (name: string, bits: readonly Bit[], what: string): Visible => {
    checkWidth(`${what} ${name}`, bits);
    return { name, node: words.node(wiring.read(bits)) };
  };
  return {
    top: netlist.top,
    clock: clock?.name,
    circuit,
    inputs: inputs.map(({ name, bits }) => ({ name, width: bits.length })),
    outputs: netlist.ports
      .filter((port) => port.direction === "out")
      .map(({ name, bits }) => visible(name, bits, "Port")),
    signals: options.signals.map((name) => {
      const bits = netlist.nets.get(name);
      if (!bits) throw fail("NETLIST_INVALID", `The netlist has no net named ${name}.`);
      return visible(name, bits, "Signal");
    }),
    registers,
    memories,
    writes,
    cells: cells.length,
  };
}

function combinationalTask(cell: Cell, rule: CellRule, words: Words, wiring: Wiring): Task {
  const drives = connection(cell, "Y");
  const reads = [...cell.connections].flatMap(([port, bits]) => (port === "Y" ? [] : bits));
  const where = `cell ${cell.name} (${cell.type})`;
  const split = splitBits(cell);
  return {
    name: cell.name,
    reads,
    drives,
    ...(split && {
      split: () => split().map((piece) => combinationalTask(piece, rule, words, wiring)),
    }),
    build: () => {
      const result = rule({
        cell,
        words,
        width: drives.length,
        input: (port) => {
          const bits = connection(cell, port);
          if (bits.length === 0) {
            throw fail("CELL_UNSUPPORTED", `Port ${port} of ${where} has no bits.`);
          }
          return wiring.read(bits);
        },
      });
      if (result.width !== drives.length) {
        throw fail(
          "NETLIST_INVALID",
          `The result of ${where} has ${result.width} bits, not ${drives.length}.`,
        );
      }
      wiring.drive(drives, result, where);
    },
  };
}

function refuseUnknown(cell: Cell): void {
  const known =
    combinationalRules.has(cell.type) || registerCells.has(cell.type) || cell.type === "$mem_v2";
  if (known) return;
  throw fail(
    "CELL_UNSUPPORTED",
    `The simulator does not know cell type ${cell.type} (${cell.name}).`,
    {
      hint: "It takes Yosys' word-level cells with one clock, after proc, flatten and memory_collect.",
      details: { type: cell.type, cell: cell.name },
    },
  );
}

function checkWidth(what: string, bits: readonly Bit[]): void {
  if (bits.length >= 1 && bits.length <= 64) return;
  throw fail(
    "CELL_UNSUPPORTED",
    `${what} is ${bits.length} bits wide; the simulator shows 1 to 64.`,
  );
}

/** Finds a name for a net bit, the shortest there is. Built on first use: only errors ask. */
function bitNamer(netlist: Netlist): (bit: number) => string {
  return (wanted) => {
    let best: string | undefined;
    for (const [name, bits] of netlist.nets) {
      const index = bits.indexOf(wanted);
      if (index < 0 || (best !== undefined && best.length <= name.length)) continue;
      best = bits.length > 1 ? `${name}[${index}]` : name;
    }
    return best ?? `bit ${wanted}`;
  };
}
