import { beforeAll, describe, expect, it } from "vitest";
import { type BlockRam, readBlockRams } from "@/boards/families/ice40";
import { type DenseNode, type IntegerGraph, locateWeight, targetOf } from "@/compiler";
import { getEngine, type Plan } from "@/engines";
import { arrayDesign } from "@/tests/support/compiler/array-design";
import { integerGraphOf } from "@/tests/support/compiler/integer-graph-of";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { isTool, runFill, runTool, textOf } from "../hardware/support/tools";

type Files = Readonly<Record<string, string | Uint8Array>>;

/** Runs the tool steps of a plan's first variant, from synthesis to the packed bitstream. */
async function build({ files, synthesis, variants }: Plan): Promise<Files> {
  const [variant] = variants;
  let folder: Files = Object.fromEntries([...files, ...(variant?.files ?? [])]);
  for (const step of [...synthesis, ...(variant?.steps ?? [])]) {
    if (step.stage === "simulate") continue;
    if (step.kind === "fill-blanks") {
      folder = runFill(step, folder);
      continue;
    }
    if (step.kind !== "tool" || !isTool(step.command)) throw new Error(`cannot run ${step.name}`);
    const run = await runTool(step.command, step.args, folder);
    folder = { ...folder, ...run.files };
  }
  return folder;
}

/** A memory of the core: words by index. */
type Memory = Map<number, number>;

const denseOf = (graph: IntegerGraph) =>
  graph.nodes.filter((node): node is DenseNode => node.op === "dense");

/** Walks every weight of a graph with its place in the compiled layout. */
function* places(graph: IntegerGraph, schedule: ReturnType<typeof arrayDesign>["schedule"]) {
  for (const [layer, { inputSize, outputSize, weights }] of denseOf(graph).entries()) {
    for (let output = 0; output < outputSize; output++) {
      for (let input = 0; input < inputSize; input++) {
        const place = locateWeight(schedule, { layer, output, input });
        yield { layer, place, weight: weights[output * inputSize + input] ?? 0 };
      }
    }
  }
}

/** The weight memories as the compiler should have laid them out: 16 bits wide, two lanes to a word. */
function layOut(graph: IntegerGraph, schedule: Parameters<typeof places>[1]): Map<string, Memory> {
  const memories = new Map<string, Memory>();
  for (const { place, weight } of places(graph, schedule)) {
    const memory = memories.get(place.memory) ?? new Map<number, number>();
    const mask = 2 ** place.width - 1;
    memory.set(place.word, (memory.get(place.word) ?? 0) | ((weight & mask) << place.bit));
    memories.set(place.memory, memory);
  }
  return memories;
}

/**
 * Finds a memory among the block RAMs: side by side when it is wider than their words, one after another when it is
 * deeper. Every bit of every word must be there.
 * @returns Its words as read from the RAMs, and which RAMs those are; null when it is not there.
 */
function find(rams: readonly BlockRam[], memory: Memory) {
  for (const wordBits of [16, 8, 4, 2]) {
    const depth = 4096 / wordBits;
    const words = new Map<number, number>();
    const used = new Set<BlockRam>();
    for (let low = 0; low < 16; low += wordBits) {
      for (let first = 0; first <= Math.max(...memory.keys()); first += depth) {
        const part = [...memory].filter(([word]) => word >= first && word < first + depth);
        const slice = (value: number) => (value >> low) & (2 ** wordBits - 1);
        const ram = rams.find(
          (each) =>
            each.wordBits === wordBits &&
            part.every(([word, value]) => each.words[word - first] === slice(value)),
        );
        if (ram === undefined) continue;
        used.add(ram);
        for (const [word] of part) {
          words.set(word, (words.get(word) ?? 0) | ((ram.words[word - first] ?? 0) << low));
        }
      }
    }
    const whole = [...memory].every(([word, value]) => words.get(word) === value);
    if (whole) return { words, used };
  }
  return null;
}

describe.each(["digits-mlp"] as const)("the bitstream of %s", (sample) => {
  const request = planRequest(sample, "icebreaker");
  const plan = getEngine("boardwalk").plan(request);
  const graph = integerGraphOf(plan);
  const { schedule } = arrayDesign(graph, targetOf(request.board));
  let rams: readonly BlockRam[] = [];

  beforeAll(async () => {
    const products = await build(plan);
    const bitstream = products["bitstream.bin"] ?? "";
    const unpacked = await runTool("iceunpack", ["b.bin", "b.asc"], { "b.bin": bitstream });
    rams = readBlockRams(textOf(unpacked.files, "b.asc"));
  }, 900_000);

  it("holds every weight of the integer graph in its block RAMs", () => {
    const recovered = new Map<string, Memory>();
    const used = new Set<BlockRam>();
    for (const [name, memory] of layOut(graph, schedule)) {
      const found = find(rams, memory);
      expect(found, `${name} is in no block RAM`).not.toBeNull();
      for (const ram of found?.used ?? []) {
        expect(used.has(ram), `${name} has a block RAM of its own`).toBe(false);
        used.add(ram);
      }
      recovered.set(name, found?.words ?? new Map());
    }
    const layers: number[][] = denseOf(graph).map(() => []);
    for (const { layer, place } of places(graph, schedule)) {
      const word = recovered.get(place.memory)?.get(place.word) ?? 0;
      const unsigned = (word >> place.bit) & (2 ** place.width - 1);
      layers[layer]?.push((unsigned << (32 - place.width)) >> (32 - place.width));
    }
    expect(layers).toEqual(denseOf(graph).map(({ weights }) => weights));
  });

  it("would not pass for a model with one other bit in one weight", () => {
    for (const memory of layOut(graph, schedule).values()) {
      const [[word, value] = [0, 0]] = memory;
      expect(find(rams, new Map(memory).set(word, value ^ 1))).toBeNull();
    }
  });
});
