import { readFileSync } from "node:fs";
import { getBoardModel } from "@/boards";
import {
  type Graph,
  getEngine,
  loadReader,
  type Plan,
  type Reference,
  readModel,
  runGraph,
  runReference,
  type Variant,
  wordsOfRow,
} from "@/engines";
import { type ModelCard, modelCardSchema } from "@/lib/common/contract";
import { decodeRows, encodeRows } from "@/lib/common/core-io";
import { fail } from "@/lib/common/errors";
import { digestOf } from "@/lib/server/digest";
import { createCoreRunner, loadSimulation } from "@/simulator/run";
import { openWorkbench, type Workbench } from "@/tests/hardware/support/plan-runner";

/** What one build came to. */
export interface EngineFigures {
  readonly cells: number;
  readonly flipFlops: number;
  readonly multipliers: number;
  /** From the last input byte to the first of the answer: the most of any vector. */
  readonly cycles: number;
  /** From the first byte of a row to the first of the next one, at a port that takes a byte a cycle. */
  readonly cyclesPerRow: number;
  readonly achievedMhz: number;
  readonly clockHz: number;
  /** Of all tools, from the plan to the first placement that meets its clock. */
  readonly seconds: number;
  /** Share of the held-back rows whose class is the float model's. */
  readonly agreement: number;
  /** Vectors that the simulated core answered, how many of them wrongly, and rows that the placed netlist answered. */
  readonly vectors: number;
  readonly mismatches: number;
  readonly proven: number;
}

const netlistRows = 8;
const agreementRows = 200;

/**
 * Builds a sample for a board with an engine, and measures it.
 *
 * @throws {AppError} of the engine, such as `MODEL_TOO_LARGE`; `TOOL_MISSING`.
 */
export async function buildWith(
  sample: string,
  boardId: string,
  engineId: string,
  options: Readonly<Record<string, unknown>> = {},
): Promise<EngineFigures> {
  const engine = getEngine(engineId);
  const board = getBoardModel(boardId);
  const { model, graph, card, rows } = await load(sample);
  const started = performance.now();
  const plan = engine.plan({
    model,
    card,
    calibration: null,
    board,
    boardKind: "simulated",
    options,
    toolVersions: {},
    sourceDigest: digestOf(model.bytes),
    sha256: digestOf,
  });
  const bench = await openWorkbench();
  try {
    for (const [name, content] of plan.files) await bench.write(name, content);
    for (const step of plan.steps) await runStep(bench, step, engineId);
    const proof = await prove(bench, plan);
    for (const step of plan.synthesis) await bench.step(step, engineId);
    const placed = await placeFirst(bench, plan, engineId);
    const { core, reference } = plan;
    if (!core || !reference) throw new TypeError("firmware has a core");
    return {
      ...placed,
      ...proof,
      cyclesPerRow: core.inputBytes + proof.cycles + core.outputBytes - 1,
      seconds: (performance.now() - started) / 1000,
      agreement: agreementOf({ graph, rows, plan, reference }),
    };
  } finally {
    await bench.close();
  }
}

/** A tool that says why it refuses is believed. */
async function runStep(bench: Workbench, step: Plan["steps"][number], engineId: string) {
  try {
    await bench.step(step, engineId);
  } catch (error) {
    const explains = step.kind === "tool" ? step.explains : undefined;
    const text = explains === undefined ? null : await bench.text(explains).catch(() => null);
    if (text === null) throw error;
    const { reason, message } = JSON.parse(text);
    throw fail(reason, message, { cause: error });
  }
}

async function load(sample: string) {
  const folder = `public/samples/${sample}`;
  const isKeras = sample === "jets-shape-mlp";
  const bytes = new Uint8Array(readFileSync(`${folder}/model.${isKeras ? "keras" : "onnx"}`));
  await loadReader(isKeras ? "keras" : "onnx");
  const model = readModel(bytes, digestOf(bytes));
  const { graph } = model;
  if (!graph) throw new TypeError("a sample has a graph");
  const card: ModelCard = modelCardSchema.parse(
    JSON.parse(readFileSync(`${folder}/card.json`, "utf8")),
  );
  const rows = readFileSync(`${folder}/test.csv`, "utf8")
    .trim()
    .split("\n")
    .slice(1, agreementRows + 1)
    .map((line) => line.split(",").slice(0, -1).map(Number));
  return { model, graph, card, rows };
}

/** Every vector through the simulated core, beside the software model. */
async function prove(
  bench: Workbench,
  { core, reference, vectors }: Plan,
): Promise<Pick<EngineFigures, "vectors" | "mismatches" | "cycles">> {
  if (!core || !reference) throw new TypeError("firmware has a core");
  const runner = createCoreRunner(loadSimulation(await bench.bytes("simulation.wasm")), core);
  let mismatches = 0;
  let cycles = 0;
  for (const row of vectors) {
    const wanted = Buffer.alloc(core.outputBytes);
    const { output } = runReference(reference, wordsOfRow(reference, row));
    for (const [at, value] of Array.from(output).entries())
      wanted.writeIntLE(value, at * core.bytesPerOutput, core.bytesPerOutput);
    const seen = runner.run(row);
    if (Buffer.compare(seen.output, wanted) !== 0) mismatches++;
    cycles = Math.max(cycles, seen.cycles);
  }
  return { vectors: vectors.length, mismatches, cycles };
}

/** The first variant that meets its clock, its netlist proven. */
async function placeFirst(bench: Workbench, plan: Plan, engineId: string) {
  const engine = getEngine(engineId);
  for (const variant of plan.variants) {
    for (const [name, content] of variant.files) await bench.write(name, content);
    let proven = 0;
    for (const step of variant.steps) {
      await bench.step(step, engineId);
      if (step.produces.includes(variant.netlistSimulation))
        proven = await bench.prove(plan, variant, netlistRows);
    }
    const placed = await readPlaced(bench, variant);
    const { met, achievedMhz } = engine.timing(plan, placed.products);
    if (!met) continue;
    const { report } = engine.outcome(plan, placed.products);
    const used = (id: string) => report.resources.find((each) => each.id === id)?.used ?? 0;
    return {
      cells: used("lut"),
      multipliers: used("dsp"),
      flipFlops: placed.flipFlops,
      achievedMhz: achievedMhz ?? 0,
      clockHz: variant.clockHz,
      proven,
    };
  }
  throw new Error(`${plan.boardModel}: no clock is met`);
}

/** Cells that are flip-flops, by the names that families give them. */
const flipFlop = /^(SB_DFF|TRELLIS_FF|DFF|FD1P3)/;

async function readPlaced(bench: Workbench, variant: Variant) {
  const texts = new Map<string, string>();
  for (const name of ["cells.json", "report.json", "placed.json"])
    texts.set(name, await bench.text(name).catch(() => ""));
  const cells: Record<string, number> = JSON.parse(texts.get("cells.json") ?? "{}");
  const flipFlops = Object.entries(cells)
    .filter(([type]) => flipFlop.test(type))
    .reduce((sum, [, count]) => sum + count, 0);
  return {
    flipFlops,
    products: { variant, text: (name: string) => texts.get(name) || null },
  };
}

/** How many rows get the class that the float model gives them. */
function agreementOf({
  graph,
  rows,
  plan: { io, core },
  reference,
}: {
  readonly graph: Graph;
  readonly rows: readonly (readonly number[])[];
  readonly plan: Plan;
  readonly reference: Reference;
}): number {
  const [input] = io.inputs;
  const [output] = graph.outputs;
  if (!core || !input || !output)
    throw new TypeError("firmware has a core, an input and an output");
  const alike = rows.filter((row) => {
    const shape = [1, row.length];
    const floats = runGraph(
      graph,
      new Map([[input.name, { shape, values: Float64Array.from(row) }]]),
    );
    const tensor = {
      name: input.name,
      datatype: "FP32" as const,
      shape,
      data: Float32Array.from(row),
    };
    const { bytes } = encodeRows(io, core, [tensor]);
    const sent = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    const words = runReference(reference, wordsOfRow(reference, sent)).output;
    const answer = Buffer.alloc(core.outputBytes);
    for (const [at, word] of Array.from(words).entries())
      answer.writeIntLE(word, at * core.bytesPerOutput, core.bytesPerOutput);
    const [scores] = decodeRows(io, core, answer, 1);
    const data = scores?.data;
    if (!ArrayBuffer.isView(data)) throw new TypeError("scores are numbers");
    return winner(data) === winner(floats.get(output.name)?.values ?? []);
  });
  return alike.length / rows.length;
}

const winner = (scores: ArrayLike<number | bigint>): number => {
  const numbers = Array.from(scores, Number);
  return numbers.indexOf(Math.max(...numbers));
};
