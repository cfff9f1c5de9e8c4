import type { MemoryWrite } from "../design";
import type { RegisterSink } from "../registers";
import { locate, type Place } from "./address";
import type { MemoryCell, WritePort } from "./ports";
import type { Limb, StoredWords } from "./stored-words";

/** The writes of all ports of a memory, in the order of the ports; without those that never happen. */
export function writesOf(
  sink: RegisterSink,
  { writes, offset, size }: MemoryCell,
  { limbs }: StoredWords,
): MemoryWrite[] {
  return writes.flatMap((port) => {
    const place = locate(sink, port.address, { offset, limit: size });
    return limbs.flatMap((limb) => writeOf(sink, port, { place, limb }) ?? []);
  });
}

function writeOf(
  { words, wiring }: RegisterSink,
  port: WritePort,
  { place, limb }: { place: Place; limb: Limb },
): MemoryWrite | null {
  const { circuit } = words;
  const { memory, low, count } = limb;
  const enables = port.enable.slice(low, low + count);
  const mask = words.node(wiring.read(enables));
  const isWhole = enables.every((bit) => bit === enables[0]);
  const any = isWhole ? circuit.slice(mask, 0, 1) : words.any(words.fromNode(mask));
  const enable = circuit.and(place.exists, any);
  if (enable.op === "const" && enable.value === 0n) return null;
  const data = words.node(wiring.read(port.data.slice(low, low + count)));
  return { memory, enable, address: place.address, data, mask: isWhole ? undefined : mask };
}
