import { type Random, randomFrom } from "@/compiler";
import { type MachineGraph, runMachine } from "../reference/machine-graph";
import { type NumberType, numberTypeOf } from "../reference/number-type";

const randomRows = 400;
const ownRows = 256;
const seed = 1;
/** What made-up floats lie within: far from the ends of any type, and from what counts as zero there. */
const floats = { largest: 4, smallest: 2 ** -6 } as const;

/**
 * Rows that every level answers, as they pass the port: extremes, each input alone, random rows over all of the type and
 * over what inputs usually are, and rows that were given. Fixed point wraps around, so nothing is out of bounds; floats
 * stay where every implementation of IEEE 754 agrees.
 *
 * @param rows Standardised, as reals.
 */
export function machineVectors(graph: MachineGraph, rows: readonly Float64Array[]): Int8Array[] {
  const type = numberTypeOf(graph.type);
  const { size } = graph.input;
  const { low, high, any } = wordsFrom(type, randomFrom(seed));
  const filled = (word: number) => Array<number>(size).fill(word);
  const alone = (at: number, word: number) => filled(0).with(at, word);
  const usual = rows.slice(0, ownRows).map((row) => Array.from(row, type.toWord));
  const drawn = Array.from({ length: randomRows }, () => Array.from({ length: size }, any));
  const all = [
    filled(0),
    filled(low),
    filled(high),
    ...Array.from({ length: size }, (_, at) => [alone(at, high), alone(at, low)]).flat(),
    ...drawn,
    ...usual,
  ];
  return all.filter((row) => isPlain(graph, row)).map((row) => bytesOf(row, type));
}

function wordsFrom(type: NumberType, random: Random) {
  if (type.float === null) {
    const [low, high] = [-(2 ** (type.width - 1)), 2 ** (type.width - 1) - 1];
    return { low, high, any: () => random.integer(low, high) };
  }
  const { largest, smallest } = floats;
  const any = () => {
    const sign = random.uniform() < 0.5 ? -1 : 1;
    return type.toWord(sign * (smallest + random.uniform() * (largest - smallest)));
  };
  return { low: type.toWord(-largest), high: type.toWord(largest), any };
}

/** Whether a row's scores are numbers: of floats that run over, implementations differ. */
function isPlain(graph: MachineGraph, row: readonly number[]): boolean {
  const { float, toReal } = numberTypeOf(graph.type);
  if (float === null) return true;
  return [...runMachine(graph, row).nodes.values()]
    .flat()
    .every((word) => Number.isFinite(toReal(word)));
}

/** Words of a row, the low byte first. */
function bytesOf(words: readonly number[], { width }: Pick<NumberType, "width">): Int8Array {
  const bytes = new Int8Array((words.length * width) / 8);
  const view = new DataView(bytes.buffer);
  for (const [at, word] of words.entries()) {
    if (width === 16) view.setInt16(2 * at, word, true);
    else view.setInt32(4 * at, word, true);
  }
  return bytes;
}
