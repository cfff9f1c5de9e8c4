import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getEngine } from "@/engines";
import { isAppError } from "@/lib/common/errors";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { randomTrees } from "@/tests/support/compiler/random-trees";
import { openWorkbench, type Workbench } from "../hardware/support/plan-runner";

// The file that a board loads, taken apart again and simulated: with its memories, its PLL and its pins.

const run = promisify(execFile);
const engine = getEngine("boardwalk");
const rows = 8;
const toolVersions = { yosys: "0.55" };

const array = { architecture: "array" };
const unrolled = { architecture: "unrolled", precision: "smallest" };
/** As many as fit a part of 1,280 cells. */
const trees = randomTrees({ seed: 1, trees: 3, depth: 3, features: 4, scores: 3 });
const cases = [
  { model: "iris-mlp, array", board: "alhambra-ii", options: array },
  { model: "iris-mlp, unrolled", board: "ice40-hx8k-evn", options: unrolled },
  { model: "iris-mlp, unrolled", board: "icebreaker", options: unrolled },
  { model: "three trees", board: "icestick", options: {}, graph: trees },
];

describe.each(cases)("the bitstream of $model on $board", { timeout: 900_000 }, (each) => {
  const { board, options, graph } = each;
  const request = planRequest("iris-mlp", board, { options, toolVersions });
  const plan = engine.plan(
    graph ? { ...request, card: null, model: { ...request.model, graph } } : request,
  );
  // The fastest clock: it comes out of a PLL.
  const [variant] = plan.variants;
  if (!variant?.readBack) throw new Error("the plan reads no bitstream back");
  const { readBack } = variant;
  let bench: Workbench;

  const fateOf = async (placed: string) => {
    await bench.write("design.asc", placed);
    const pack = variant.steps.find(({ stage }) => stage === "pack");
    if (!pack) throw new Error("the plan packs nothing");
    await bench.step(pack);
    for (const step of readBack.steps) await bench.step(step);
    try {
      return `answers ${await bench.prove(plan, variant, rows, "bitstream")}`;
    } catch (error) {
      if (!isAppError(error) || error.reason !== "VERIFICATION_FAILED") throw error;
      return error.message;
    }
  };

  beforeAll(async () => {
    await run("icebox_vlog", ["-h"]);
    bench = await openWorkbench();
    for (const [name, content] of [...plan.files, ...variant.files])
      await bench.write(name, content);
    for (const step of [...plan.synthesis, ...variant.steps])
      if (step.stage !== "simulate") await bench.step(step);
  });
  afterAll(() => bench.close());

  it("answers as the integer graph does", async () => {
    expect(await fateOf(await bench.text("design.asc"))).toBe(`answers ${rows}`);
  });

  it("fails with one logic cell's table turned round", async () => {
    const placed = await bench.text("design.asc");
    const fates: string[] = [];
    for (let nth = 0; nth < 6 && (fates.at(-1) ?? "answers").startsWith("answers"); nth++)
      fates.push(await fateOf(withWrongCell(placed, 40 + 60 * nth)));
    expect(fates.at(-1)).toMatch(/^The design that was read back from the bitstream /);
    expect(await fateOf(placed)).toBe(`answers ${rows}`);
  });
});

/** The placed design with the table of the nth used logic tile's first cell inverted. Source: icestorm, logic tile bits. */
function withWrongCell(placed: string, nth: number): string {
  const lines = placed.split("\n");
  const tiles = lines.flatMap((line, at) =>
    line.startsWith(".logic_tile ") && lines[at + 1]?.slice(36, 46).includes("1") ? [at + 1] : [],
  );
  const at = tiles[nth % tiles.length];
  if (at === undefined) throw new Error("the design uses no logic tile");
  for (const row of [at, at + 1]) {
    const line = lines[row] ?? "";
    const flipped = [...line.slice(36, 46)].map((bit, place) =>
      place < 8 ? (bit === "1" ? "0" : "1") : bit,
    );
    lines[row] = line.slice(0, 36) + flipped.join("") + line.slice(46);
  }
  return lines.join("\n");
}
