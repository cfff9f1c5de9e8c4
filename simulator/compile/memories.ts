import type { Memory, MemoryWrite } from "./design";
import { readMemoryCell } from "./memory/ports";
import { addReads } from "./memory/reads";
import { storeWords } from "./memory/stored-words";
import { writesOf } from "./memory/writes";
import type { Cell } from "./netlist";
import type { RegisterSink } from "./registers";

/** Where memories are made. */
export interface MemorySink extends RegisterSink {
  readonly memories: Memory[];
  readonly writes: MemoryWrite[];
}

/**
 * Adds a `$mem_v2` cell. Words wider than 64 bits become several memories with the same ports. The parts of a
 * wide port are ports of their own, as Yosys lists them. Reads and writes out of range answer 0 and do nothing.
 */
export function addMemory(sink: MemorySink, cell: Cell): void {
  const memoryCell = readMemoryCell(cell);
  const stored = storeWords(sink.memories, memoryCell);
  addReads(sink, memoryCell, stored);
  sink.finally(() => sink.writes.push(...writesOf(sink, memoryCell, stored)));
}
