import { fail } from "@/lib/common/errors";
import { type Bit, bitsParameter, connection } from "../netlist";
import { addRegister, type RegisterSink } from "../registers";
import type { Word } from "../words";
import { locate } from "./address";
import { type MemoryCell, type Port, part, type WritePort } from "./ports";
import type { StoredWords } from "./stored-words";

/** Adds the read ports of a memory: with a register behind them where they have a clock, else without. */
export function addReads(sink: RegisterSink, memoryCell: MemoryCell, stored: StoredWords): void {
  const { cell, reads } = memoryCell;
  const clocked = bitsParameter(cell, "RD_CLK_ENABLE", reads.length);
  const readAt = (address: readonly Bit[]) => readWord(sink, address, memoryCell, stored);
  reads.forEach((port, index) => {
    const name = `read port ${index} of memory ${cell.name}`;
    if (clocked[index] !== "0") {
      addClockedRead(sink, memoryCell, { index, name, readAt });
      return;
    }
    sink.addTask({
      name,
      reads: port.address,
      drives: port.data,
      build: () => sink.wiring.drive(port.data, readAt(port.address), name),
    });
  });
}

/** The word at an address; 0 where there is none. */
function readWord(
  sink: RegisterSink,
  bits: readonly Bit[],
  { offset }: MemoryCell,
  { depth, limbs }: StoredWords,
): Word {
  const { words } = sink;
  const { circuit } = words;
  const { address, exists } = locate(sink, bits, { offset, limit: depth });
  const safe = circuit.mux(exists, address, circuit.constant(0n, address.width));
  return words.join(
    limbs.map(({ memory, count }) => {
      const word = circuit.read(memory, safe, count);
      return words.fromNode(circuit.mux(exists, word, circuit.constant(0n, count)));
    }),
  );
}

interface ClockedRead {
  readonly index: number;
  readonly name: string;
  readonly readAt: (address: readonly Bit[]) => Word;
}

function addClockedRead(
  sink: RegisterSink,
  memoryCell: MemoryCell,
  { index, name, readAt }: ClockedRead,
): void {
  const { words, wiring } = sink;
  const { cell, width, reads, writes } = memoryCell;
  const port = reads[index] as Port;
  const control = (pin: string): readonly Bit[] => part(connection(cell, pin), index, 1);
  const constant = (parameter: string): ("0" | "1")[] => [
    ...part(bitsParameter(cell, parameter, reads.length * width), index, width),
  ];
  if (control("RD_ARST")[0] !== "0") {
    throw fail("CELL_UNSUPPORTED", `The ${name} has an asynchronous reset.`);
  }
  const mask = bitsParameter(cell, "RD_TRANSPARENCY_MASK", reads.length * writes.length);
  const transparent = part(mask, index, writes.length);
  const through = writes.filter((_, write) => transparent[write] === "1");
  addRegister(sink, {
    name,
    q: port.data,
    initial: constant("RD_INIT_VALUE"),
    data: () => throughWrites(sink, memoryCell, { port, through, stored: readAt(port.address) }),
    enable: () => words.node(wiring.read(control("RD_EN"))),
    reset: {
      active: () => words.node(wiring.read(control("RD_SRST"))),
      value: wiring.read(constant("RD_SRST_VALUE")),
    },
    enableOverReset: bitsParameter(cell, "RD_CE_OVER_SRST", reads.length)[index] === "1",
  });
}

interface Transparency {
  readonly port: Port;
  /** The write ports whose writes it shows. */
  readonly through: readonly WritePort[];
  /** What was stored before. */
  readonly stored: Word;
}

/** What a read sees that shows the writes of the same edge. */
function throughWrites(
  sink: RegisterSink,
  { width, size, offset }: MemoryCell,
  { port, through, stored }: Transparency,
): Word {
  const { words, wiring } = sink;
  const { circuit } = words;
  return through.reduce((data, write) => {
    const address = Math.max(port.address.length, write.address.length, 1);
    const meets = words.equal(
      words.resize(wiring.read(port.address), address, false),
      words.resize(wiring.read(write.address), address, false),
    );
    const { exists } = locate(sink, write.address, { offset, limit: size });
    const taken = words.mux(
      circuit.and(meets, exists),
      wiring.read(write.enable),
      words.constant(0n, width),
    );
    return words.or(words.and(data, words.not(taken)), words.and(wiring.read(write.data), taken));
  }, stored);
}
