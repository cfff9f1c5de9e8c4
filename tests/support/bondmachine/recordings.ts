import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Graph, GraphConstant, GraphNode } from "@/compiler";

// What the real tools were given and what their machines answered: tests/fixtures/bondmachine/README.md.
const folder = "tests/fixtures/bondmachine/nets";

const netSchema = z.object({
  type: z.enum(["fps16f8", "fps32f16", "float32"]),
  layers: z.array(
    z.object({
      inDim: z.number(),
      outDim: z.number(),
      weights: z.array(z.array(z.number())),
      bias: z.array(z.number()),
      activation: z.enum(["linear", "relu"]),
    }),
  ),
});
const vectorsSchema = z.object({
  cyclesMin: z.number(),
  cyclesMax: z.number(),
  rows: z
    .array(z.object({ in: z.array(z.number()), out: z.array(z.number()), cycles: z.number() }))
    .min(1),
});
const commandsSchema = z.array(
  z.object({
    cwd: z.string(),
    args: z.array(z.string()),
    exitCode: z.number(),
    stdout: z.string(),
  }),
);

export const recordedNets: readonly string[] = readdirSync(folder);

/** A net with the assembly, the commands and the answers that were recorded of it. */
export function loadRecording(net: string) {
  const text = (file: string) => readFileSync(join(folder, net, file), "utf8");
  const { type, layers } = netSchema.parse(JSON.parse(text("net.json")));
  return {
    type,
    layers,
    basm: text("net.basm"),
    commands: commandsSchema.parse(JSON.parse(text("commands.json"))),
    vectors: vectorsSchema.parse(JSON.parse(text("vectors.json"))),
  };
}

const byNeuralbond = "tests/fixtures/bondmachine/neuralbond";
/** Nets whose assembly neuralbond wrote, of our neurons. */
export const neuralbondNets: readonly string[] = readdirSync(byNeuralbond);

/** What neuralbond was given of a net and wrote, with the commands, and what the machine answered. */
export function loadNeuralbond(net: string) {
  const text = (file: string) => readFileSync(join(byNeuralbond, net, file), "utf8");
  const counted = vectorsSchema.extend({
    type: z.enum(["fps16f8", "float32"]),
    processors: z.number(),
    links: z.number(),
    expprec: z.number().optional(),
  });
  return {
    network: text("net.json"),
    configuration: JSON.parse(text("cfg.before.json")),
    assembly: text("net.basm"),
    machine: text("bm.json"),
    commands: commandsSchema.parse(JSON.parse(text("commands.json"))),
    vectors: counted.parse(JSON.parse(text("vectors.json"))),
  };
}

const machineSchema = z.object({
  Domains: z.array(
    z.union([
      // As the stand-in has it.
      z.object({ Program: z.array(z.tuple([z.string()]).rest(z.unknown())) }),
      z.object({ Op: z.array(z.string()), Slocs: z.array(z.string()) }),
    ]),
  ),
});
/** Ways of moving a word, which the assembler tells apart by where it comes from and goes. */
const moves: ReadonlySet<string> = new Set(["rset", "i2rw", "r2owa", "cpy", "mov"]);

/** The instructions of each processor of a machine, as `basm` or its stand-in wrote it. */
export function programsOf(machine: string): readonly (readonly string[])[] {
  return machineSchema.parse(JSON.parse(machine)).Domains.map((domain) => {
    const operations =
      "Program" in domain
        ? domain.Program.map(([operation]) => operation)
        : domain.Slocs.map((word) => operationOf(word, domain.Op));
    return operations.map((operation) => (moves.has(operation) ? "mov" : operation));
  });
}

/** A word begins with the number of its operation. */
const operationOf = (word: string, operations: readonly string[]): string =>
  operations[Number.parseInt(word.slice(0, Math.ceil(Math.log2(operations.length))), 2)] ?? "";

/** The net as a model. */
export function recordedGraph(net: string): Graph {
  const { layers } = loadRecording(net);
  const nodes: GraphNode[] = [];
  const constants = new Map<string, GraphConstant>();
  const shapes = new Map<string, readonly number[]>();
  const inputs = layers[0]?.inDim ?? 0;
  const outputs = layers.at(-1)?.outDim ?? 0;
  shapes.set("x", [-1, inputs]);
  let value = "x";
  const add = (operator: string, from: string[], to: string, attributes = {}) =>
    nodes.push({ name: to, operator, domain: "", inputs: from, outputs: [to], attributes });
  for (const [at, { inDim, outDim, weights, bias, activation }] of layers.entries()) {
    const isLast = at === layers.length - 1;
    const constant = (name: string, shape: number[], values: readonly number[]) =>
      constants.set(name, { name, datatype: "FP32", shape, values: Float64Array.from(values) });
    constant(`w${at}`, [outDim, inDim], weights.flat());
    constant(`b${at}`, [outDim], bias);
    const sums = isLast && activation === "linear" ? "y" : `sums${at}`;
    add("Gemm", [value, `w${at}`, `b${at}`], sums, { transB: 1 });
    shapes.set(sums, [-1, outDim]);
    value = sums;
    if (activation !== "relu") continue;
    const clamped = isLast ? "y" : `clamped${at}`;
    add("Relu", [value], clamped);
    shapes.set(clamped, [-1, outDim]);
    value = clamped;
  }
  return {
    inputs: [{ name: "x", datatype: "FP32", shape: [-1, inputs] }],
    outputs: [{ name: "y", datatype: "FP32", shape: [-1, outputs] }],
    nodes,
    constants,
    shapes,
    opset: 17,
  };
}
