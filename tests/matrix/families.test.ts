import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getBoardModel, getFamily } from "@/boards";
import { getEngine, type Plan, type Variant } from "@/engines";
import { isAppError } from "@/lib/common/errors";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { openWorkbench, type Workbench } from "../hardware/support/plan-runner";

// One board of each way to a bitstream: every step of the plan, with the tools that a build worker has.

const engine = getEngine("boardwalk");
const rows = 5;
const mutantRows = 12;

type Bit = number | string;

interface Cell {
  readonly type: string;
  readonly parameters: Record<string, string>;
  readonly connections: Readonly<Record<string, readonly Bit[]>>;
}

const cellsOf = (netlist: unknown) =>
  (netlist as { modules: Record<string, { cells: Record<string, Cell> }> }).modules["top"]?.cells ??
  {};

/** The netlist with one bit of one parameter turned round. Tools write parameters in bits, or in text with `0x`. */
function withWrongBit(
  design: string,
  { cell, parameter, bit }: { cell: string; parameter: string; bit: number },
): string {
  const netlist: unknown = JSON.parse(design);
  const { parameters } = cellsOf(netlist)[cell] ?? {};
  const value = parameters?.[parameter]?.trimEnd();
  if (!parameters || value === undefined) throw new Error(`${cell} has no ${parameter}`);
  const isHex = value.startsWith("0x");
  const at = value.length - 1 - (isHex ? bit >> 2 : bit);
  const digit = Number.parseInt(value[at] ?? "", 16) ^ (isHex ? 1 << (bit & 3) : 1);
  parameters[parameter] = value.slice(0, at) + digit.toString(16) + value.slice(at + 1);
  return JSON.stringify(netlist);
}

/** A logic cell whose output is written into the memory of hidden values, and the name of its table. */
function tableBefore(design: string): { cell: string; parameter: string } {
  const cells = Object.entries(cellsOf(JSON.parse(design)));
  const memory = cells.find(([name]) => name.startsWith("shell.core.activations"))?.[1];
  const inputs = Object.entries(memory?.connections ?? {}).filter(([port]) =>
    /^W?DI?A?/.test(port),
  );
  const written = new Set(inputs.flatMap(([, bits]) => bits));
  for (const [cell, { type, parameters, connections }] of cells) {
    const parameter = Object.keys(parameters).find((name) => /^(LUT_)?INIT$/.test(name));
    const [output = ""] = connections["O"] ?? connections["Z"] ?? connections["F"] ?? [];
    if (/LUT[34]$/.test(type) && parameter && written.has(output)) return { cell, parameter };
  }
  throw new Error("no logic cell writes the hidden values");
}

/** What becomes of a plan's vectors when its mapped netlist is another. */
async function fateOf(bench: Workbench, plan: Plan, variant: Variant, design: string) {
  const [, netlist, simulation] = variant.steps;
  if (!netlist || !simulation) throw new Error("the plan proves no netlist");
  await bench.write("design.json", design);
  await bench.step(netlist);
  await bench.step(simulation);
  try {
    return `answers ${await bench.prove(plan, variant, mutantRows)}`;
  } catch (error) {
    if (!isAppError(error) || error.reason !== "VERIFICATION_FAILED") throw error;
    return error.message;
  }
}

/** Runs every step of a plan's variants until one meets its clock, and proves each netlist before it is placed. */
async function buildOf(bench: Workbench, plan: Plan) {
  for (const step of plan.synthesis) await bench.step(step);
  let last: { variant: Variant; met: boolean; netlist: string } | null = null;
  for (const variant of plan.variants) {
    let netlist = "";
    for (const [name, content] of variant.files) await bench.write(name, content);
    for (const step of variant.steps) {
      await bench.step(step);
      if (step.produces.includes("design.json")) netlist = await bench.text("design.json");
      if (step.produces.includes(variant.netlistSimulation))
        expect(await bench.prove(plan, variant, rows)).toBe(rows);
    }
    const reports = new Map<string, string>();
    for (const name of ["report.json", "cells.json"]) reports.set(name, await bench.text(name));
    const text = (name: string) => reports.get(name) ?? null;
    last = { variant, met: engine.timing(plan, { variant, text }).met, netlist };
    if (last.met) break;
  }
  if (!last) throw new Error("the plan has no variant");
  return last;
}

describe.each([
  "icebreaker",
  "ice40-hx8k-evn",
  "ulx3s-25f",
  "tang-nano-9k",
  "tang-primer-25k",
  "crosslink-nx-evn",
])("iris-mlp on %s", { timeout: 900_000 }, (id) => {
  const board = getBoardModel(id);
  const family = getFamily(board.part);
  const options = { architecture: "array" };
  const plan = engine.plan(planRequest("iris-mlp", id, { options }));
  let bench: Workbench;
  let built: Variant;
  let design = "";

  beforeAll(async () => {
    bench = await openWorkbench();
    for (const [name, content] of plan.files) await bench.write(name, content);
  });
  afterAll(() => bench.close());

  it("becomes a bitstream whose netlist is proven and whose timing is met", async () => {
    const { variant, met, netlist } = await buildOf(bench, plan);
    built = variant;
    design = netlist;
    expect(met).toBe(true);
    expect((await bench.bytes(family.bitstream)).length).toBeGreaterThan(10_000);
  });

  it("has every placed cell in a section and on the chip", async () => {
    const texts = new Map<string, string>();
    for (const name of ["report.json", "cells.json", "placed.json"])
      texts.set(name, await bench.text(name));
    const products = { variant: built, text: (name: string) => texts.get(name) ?? null };
    const { report, placement } = engine.outcome(plan, products);
    const { resources, sections = [], clocks = [] } = report;
    for (const { id: resource, used } of resources) {
      const uses = sections.map(({ uses }) => uses[resource] ?? 0);
      expect([resource, uses.reduce((sum, count) => sum + count, 0)]).toEqual([resource, used]);
    }
    expect(sections.find(({ id }) => id === "core-weights")?.uses["bram"]).toBeGreaterThan(0);
    // A clock that is met has no signal that is late.
    const slacks = clocks.flatMap(({ slack }) => (slack ? [slack] : []));
    expect(slacks.length).toBeGreaterThan(0);
    for (const { worstNs, ends, counts } of slacks) {
      expect(worstNs).toBeGreaterThanOrEqual(0);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(ends);
    }
    const { columns = 0, rows = 0, tiles = [] } = placement ?? {};
    const outside = tiles.filter(
      (value, at) => (at % 5 === 0 && value >= columns) || (at % 5 === 1 && value >= rows),
    );
    expect(tiles.length).toBeGreaterThan(100);
    expect(outside).toEqual([]);
  });

  it("fails with one wrong bit in a weight that synthesis put into a memory", async () => {
    const cell = "shell.core.weights_0.0.0";
    const { parameters = {} } = cellsOf(JSON.parse(design))[cell] ?? {};
    const [parameter = ""] = Object.keys(parameters).filter((name) => /^INIT.*_0?0$/.test(name));
    const wrong = withWrongBit(design, { cell, parameter, bit: 6 });
    expect(await fateOf(bench, plan, built, wrong)).toMatch(
      /^The synthesised netlist answers vector \d+ otherwise than the software model\.$/,
    );
  });

  it("fails with one wrong bit in the table of a logic cell", async () => {
    const table = tableBefore(design);
    const fates = [];
    // Some rows of a table may never be asked for.
    for (const bit of [0, 1, 2, 3, 4, 5, 6, 7]) {
      fates.push(await fateOf(bench, plan, built, withWrongBit(design, { ...table, bit })));
      if (!fates.at(-1)?.startsWith("answers")) break;
    }
    expect(fates.at(-1)).toMatch(/^The synthesised netlist /);
  });

  it("is proven again without the wrong bit", async () => {
    expect(await fateOf(bench, plan, built, design)).toBe(`answers ${mutantRows}`);
  });
});

describe("digits-mlp on icebreaker, two products in each multiplier", { timeout: 900_000 }, () => {
  it("becomes a bitstream whose netlist is proven and whose timing is met", async () => {
    const plan = engine.plan(planRequest("digits-mlp", "icebreaker"));
    expect(plan.forecast.lanes).toBe(16);
    const bench = await openWorkbench();
    try {
      for (const [name, content] of plan.files) await bench.write(name, content);
      const { met, variant, netlist } = await buildOf(bench, plan);
      expect(met).toBe(true);
      // Faster than one product a block at 48 MHz, which takes 444 cycles.
      expect((plan.core?.latencyCycles ?? 0) / variant.clockHz).toBeLessThan(444 / 48e6);
      const blocks = Object.values(cellsOf(JSON.parse(netlist))).filter(
        ({ type }) => type === "SB_MAC16",
      );
      expect(blocks).toHaveLength(8);
    } finally {
      await bench.close();
    }
  });
});

describe("iris-mlp unrolled on ulx3s-25f", { timeout: 900_000 }, () => {
  it("becomes a bitstream whose netlist is proven and whose timing is met", async () => {
    const options = { architecture: "unrolled" };
    const plan = engine.plan(planRequest("iris-mlp", "ulx3s-25f", { options }));
    const bench = await openWorkbench();
    try {
      for (const [name, content] of plan.files) await bench.write(name, content);
      const { met, variant } = await buildOf(bench, plan);
      expect(met).toBe(true);
      expect(variant.clockHz).toBe(100e6);
    } finally {
      await bench.close();
    }
  });
});
