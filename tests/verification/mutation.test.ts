import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { locateShift, locateWeight, type MemoryPlace, runIntegerGraph, targetOf } from "@/compiler";
import { layersOf } from "@/compiler/integer/layers";
import { lowerDense } from "@/compiler/lower/dense";
import { buildSchema } from "@/lib/common/contract";
import { deploy, until, upload, variantOf } from "@/tests/support/client";
import { arrayDesign } from "@/tests/support/compiler/array-design";
import { loadSample } from "@/tests/support/compiler/samples";
import { type Installation, startInstallation } from "@/tests/support/installation";

// A proof that cannot fail proves nothing: one bit of one weight and one bit of one shift are flipped in every layer, in
// the file the compiler emitted, and each build must fail and name the node that is wrong.

const seed = Number(process.env["SEED"] ?? 20261120);
const folder = mkdtempSync(join(tmpdir(), "bw-mutation-"));
const mutationFile = join(folder, "mutation.json");
let installation: Installation;
let serial = 0;

/** Small generator of whole numbers below `limit`. Source: Park and Miller 1988. */
function numbers(start: number): (limit: number) => number {
  let state = (start % 2_147_483_646) + 1;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}

const sample = loadSample("iris-mlp");
const { integerGraph: graph } = lowerDense({
  graph: sample.graph,
  inputRange: sample.card.inputRange ?? null,
  calibration: null,
});
const design = arrayDesign(graph, targetOf(getBoardModel("icebreaker")));
const stages = layersOf(graph);
const runs = Array.from({ length: 200 }, (_, index) => {
  const next = numbers(index + 1);
  return runIntegerGraph(
    graph,
    Int8Array.from({ length: graph.input.size }, () => next(256) - 128),
  );
});

/** Values that flow into a layer, one list per run. */
const inputsOf = (layer: number): ArrayLike<number>[] =>
  layer === 0
    ? [Array(graph.input.size).fill(1)]
    : runs.map(({ nodes }) => nodes.get(stages[layer - 1]?.requantize.name ?? "") ?? []);

/** The assignment of a memory word in the emitted text, and the same with one bit flipped. */
function flip({ memory, word, bit }: MemoryPlace, offset: number) {
  const line = new RegExp(`${memory}\\[${word}\\] = (\\d+)'h([0-9a-f]+);`);
  const found = design.verilog.match(line);
  if (!found) throw new Error(`${memory}[${word}] is not in core.v`);
  const [from, width, digits = ""] = found;
  const value = BigInt(`0x${digits}`) ^ (1n << BigInt(bit + offset));
  return {
    file: "core.v",
    from,
    to: `${memory}[${word}] = ${width}'h${value.toString(16).padStart(digits.length, "0")};`,
  };
}

function weightOf(layer: number) {
  const { dense } = stages[layer] as (typeof stages)[number];
  const next = numbers(seed + layer);
  for (;;) {
    const place = { layer, output: next(dense.outputSize), input: next(dense.inputSize) };
    // A weight of an input that is never anything but 0 has no effect, and no proof could see it.
    if (!inputsOf(layer).some((values) => values[place.input] !== 0)) continue;
    return { node: dense.name, ...flip(locateWeight(design.schedule, place), next(8)) };
  }
}

function shiftOf(layer: number) {
  const { requantize } = stages[layer] as (typeof stages)[number];
  const next = numbers(seed + 100 + layer);
  for (;;) {
    const output = next(requantize.size);
    if (!runs.some(({ nodes }) => Number(nodes.get(requantize.name)?.[output] ?? 0) > 3)) continue;
    return { node: requantize.name, ...flip(locateShift(graph, { layer, output }), 0) };
  }
}

beforeAll(async () => {
  installation = await startInstallation("mutation", {
    variables: { BOARDWALK_FAULTS: folder, BOARDWALK_TEST_MUTATION: `file:${mutationFile}` },
  });
}, 180_000);

afterAll(async () => {
  await installation?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function buildMutated(mutation: { file: string; from: string; to: string }) {
  writeFileSync(
    mutationFile,
    JSON.stringify({ file: mutation.file, from: mutation.from, to: mutation.to }),
  );
  serial += 1;
  const model = await upload(
    installation,
    "model.onnx",
    variantOf("iris-mlp", `mutation ${serial}`),
  );
  const { buildId } = await deploy(installation, {
    name: `mutant-${serial}`,
    engine: "boardwalk",
    model: {
      url: model.body.url,
      card: { inputRange: sample.card.inputRange },
    },
    board: { model: "icebreaker", kind: "simulated" },
    options: { clockHz: 24_000_000, architecture: "array" },
  });
  return until(
    "the build's end",
    async () => {
      const build = buildSchema.parse((await installation.api(`/builds/${buildId}`)).body);
      return build.endedAt !== null && build;
    },
    240_000,
  );
}

describe(`a design with one wrong bit (seed ${seed})`, () => {
  const layers = stages.map((_, layer) => layer);
  it.each(layers)(
    "in a weight of layer %i fails and names its node",
    async (layer) => {
      const mutation = weightOf(layer);
      const build = await buildMutated(mutation);
      expect(build.state).toBe("failed");
      expect(build.problem?.reason).toBe("VERIFICATION_FAILED");
      expect(build.problem?.message).toContain(mutation.node);
      expect(build.artifactDigest).toBeNull();
    },
    300_000,
  );

  it.each(layers)(
    "in a shift of layer %i fails and names its node",
    async (layer) => {
      const mutation = shiftOf(layer);
      const build = await buildMutated(mutation);
      expect(build.state).toBe("failed");
      expect(build.problem?.reason).toBe("VERIFICATION_FAILED");
      expect(build.problem?.message).toContain(mutation.node);
    },
    300_000,
  );
});
