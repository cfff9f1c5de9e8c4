import { fail } from "@/lib/common/errors";
import type { Node } from "./circuit";
import type { Memory, MemoryWrite } from "./design";
import {
  type Bit,
  bitsParameter,
  type Cell,
  connection,
  numberParameter,
  signedParameter,
} from "./netlist";
import { addRegister, type RegisterSink } from "./registers";
import type { Word } from "./words";

/** Where memories are made. */
export interface MemorySink extends RegisterSink {
  readonly memories: Memory[];
  readonly writes: MemoryWrite[];
}

/** Padding a memory to its address range saves the bounds check of each read; beyond this it is not worth it. */
const maxPaddedDepth = 65_536;
const maxBits = 2 ** 28;

interface Port {
  readonly address: readonly Bit[];
  readonly data: readonly Bit[];
}

interface WritePort extends Port {
  readonly enable: readonly Bit[];
}

/**
 * Adds a `$mem_v2` cell. Words wider than 64 bits become several memories with the same ports. The parts of a
 * wide port are ports of their own, as Yosys lists them. Reads and writes out of range answer 0 and do nothing.
 */
export function addMemory(sink: MemorySink, cell: Cell): void {
  const { words, wiring } = sink;
  const { circuit } = words;
  const width = numberParameter(cell, "WIDTH");
  const size = numberParameter(cell, "SIZE");
  const abits = numberParameter(cell, "ABITS");
  const offset = signedParameter(cell, "OFFSET");
  if (width * size > maxBits) {
    throw fail(
      "CELL_UNSUPPORTED",
      `Memory ${cell.name} has ${width * size} bits, over ${maxBits}.`,
    );
  }

  const reads = portsOf(cell, "RD", width, abits);
  const writes: WritePort[] = portsOf(cell, "WR", width, abits).map((port, index) => ({
    ...port,
    enable: part(connection(cell, "WR_EN"), index, width),
  }));
  const writeClocked = bitsParameter(cell, "WR_CLK_ENABLE", writes.length);
  if (writeClocked.includes("0")) {
    throw fail("CELL_UNSUPPORTED", `Memory ${cell.name} has a write port without a clock.`);
  }

  const depth = abits < 31 && 2 ** abits <= maxPaddedDepth ? Math.max(size, 2 ** abits) : size;
  const image = bitsParameter(cell, "INIT", width * size);
  const limbs: { memory: number; low: number; count: number }[] = [];
  for (let low = 0; low < width; low += 64) {
    const count = Math.min(64, width - low);
    const initial = Array.from({ length: size }, (_, word) =>
      BigInt(
        `0b${image
          .slice(word * width + low, word * width + low + count)
          .toReversed()
          .join("")}`,
      ),
    );
    limbs.push({ memory: sink.memories.length, low, count });
    sink.memories.push({ width: count, size, depth, initial });
  }

  /** Address counted from the first word, and whether there is such a word. */
  const locate = (bits: readonly Bit[], limit: number): { address: Node; exists: Node } => {
    const given = words.node(bits.length > 0 ? wiring.read(bits) : words.constant(0n, 1));
    const address = stripZeros(
      offset === 0
        ? given
        : circuit.sub(circuit.zeroExtend(given, 32), circuit.constant(BigInt(offset), 32)),
    );
    const covered = address.width < 31 && 2 ** address.width <= limit;
    const exists = covered
      ? circuit.constant(1n, 1)
      : circuit.less(
          circuit.zeroExtend(address, Math.max(32, address.width)),
          circuit.constant(BigInt(limit), Math.max(32, address.width)),
          false,
        );
    return { address, exists };
  };

  const stored = (bits: readonly Bit[]): Word => {
    const { address, exists } = locate(bits, depth);
    const safe = circuit.mux(exists, address, circuit.constant(0n, address.width));
    return words.join(
      limbs.map(({ memory, count }) => {
        const word = circuit.read(memory, safe, count);
        return words.fromNode(circuit.mux(exists, word, circuit.constant(0n, count)));
      }),
    );
  };

  const clocked = bitsParameter(cell, "RD_CLK_ENABLE", reads.length);
  reads.forEach((port, index) => {
    const name = `read port ${index} of memory ${cell.name}`;
    if (clocked[index] === "0") {
      sink.addTask({
        name,
        reads: port.address,
        drives: port.data,
        build: () => wiring.drive(port.data, stored(port.address), name),
      });
      return;
    }
    const transparent = part(
      bitsParameter(cell, "RD_TRANSPARENCY_MASK", reads.length * writes.length),
      index,
      writes.length,
    );
    const control = (port: string): readonly Bit[] => part(connection(cell, port), index, 1);
    if (control("RD_ARST")[0] !== "0") {
      throw fail("CELL_UNSUPPORTED", `The ${name} has an asynchronous reset.`);
    }
    const constant = (parameter: string): ("0" | "1")[] => [
      ...part(bitsParameter(cell, parameter, reads.length * width), index, width),
    ];
    addRegister(sink, {
      name,
      q: port.data,
      initial: constant("RD_INIT_VALUE"),
      data: () =>
        throughWrites(
          port,
          writes.filter((_, write) => transparent[write] === "1"),
        ),
      enable: () => words.node(wiring.read(control("RD_EN"))),
      reset: {
        active: () => words.node(wiring.read(control("RD_SRST"))),
        value: wiring.read(constant("RD_SRST_VALUE")),
      },
      enableOverReset: bitsParameter(cell, "RD_CE_OVER_SRST", reads.length)[index] === "1",
    });
  });

  /** What a read sees that shows the writes of the same edge. */
  const throughWrites = (port: Port, through: readonly WritePort[]): Word => {
    let data = stored(port.address);
    for (const write of through) {
      const address = Math.max(port.address.length, write.address.length, 1);
      const meets = words.equal(
        words.resize(wiring.read(port.address), address, false),
        words.resize(wiring.read(write.address), address, false),
      );
      const { exists } = locate(write.address, size);
      const taken = words.mux(
        circuit.and(meets, exists),
        wiring.read(write.enable),
        words.constant(0n, width),
      );
      data = words.or(words.and(data, words.not(taken)), words.and(wiring.read(write.data), taken));
    }
    return data;
  };

  sink.finally(() => {
    for (const write of writes) {
      const { address, exists } = locate(write.address, size);
      for (const { memory, low, count } of limbs) {
        const enables = write.enable.slice(low, low + count);
        const mask = words.node(wiring.read(enables));
        const whole = enables.every((bit) => bit === enables[0]);
        const any = whole ? circuit.slice(mask, 0, 1) : words.any(words.fromNode(mask));
        const enable = circuit.and(exists, any);
        if (enable.op === "const" && enable.value === 0n) continue;
        sink.writes.push({
          memory,
          enable,
          address,
          data: words.node(wiring.read(write.data.slice(low, low + count))),
          mask: whole ? undefined : mask,
        });
      }
    }
  });
}

function portsOf(cell: Cell, kind: "RD" | "WR", width: number, abits: number): Port[] {
  const count = numberParameter(cell, `${kind}_PORTS`);
  const addresses = connection(cell, `${kind}_ADDR`, count * abits);
  const data = connection(cell, `${kind}_DATA`, count * width);
  return Array.from({ length: count }, (_, index) => ({
    address: part(addresses, index, abits),
    data: part(data, index, width),
  }));
}

function part<T>(values: readonly T[], index: number, width: number): readonly T[] {
  return values.slice(index * width, (index + 1) * width);
}

/** An address without leading bits that are always 0. */
function stripZeros(address: Node): Node {
  const inner = address.op === "zext" ? address.args[0] : undefined;
  return inner ?? address;
}
