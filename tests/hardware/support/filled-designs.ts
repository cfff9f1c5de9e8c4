import { getBoardModel, powerOnCycles } from "@/boards";
import { encodeFrame, frameKinds } from "@/boards/links/uart";
import { getEngine, type Plan, type Variant } from "@/engines";
import { loadSimulation, type Simulation } from "@/simulator/run";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { randomTrees } from "@/tests/support/compiler/random-trees";
import type { Workbench } from "./plan-runner";

type Bit = number | string;

export interface MappedCell {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly attributes: Readonly<Record<string, string>>;
  readonly connections: Readonly<Record<string, readonly Bit[]>>;
}

interface Module {
  readonly cells: Readonly<Record<string, MappedCell>>;
  readonly netnames: Readonly<Record<string, { readonly bits: readonly Bit[] }>>;
}

export const topOf = (design: string): Module => JSON.parse(design).modules.top;

/** A small core in the shell of a board. @param build Anything: another one gives the plan another digest. */
export function planOfTrees(board: string, build = "first"): Plan {
  const request = planRequest("iris-mlp", board, {
    card: null,
    toolVersions: { yosys: "0.55", build },
  });
  const graph = randomTrees({ seed: 1, trees: 1, depth: 2, features: 4, scores: 2 });
  return getEngine("boardwalk").plan({ ...request, model: { ...request.model, graph } });
}

/** The design of a variant as it is placed: the mapped netlist in the work folder, its blanks filled in. */
export async function filledDesign(bench: Workbench, { steps, files }: Variant): Promise<string> {
  for (const [name, content] of files) await bench.write(name, content);
  for (const step of steps) if (step.kind === "fill-blanks") await bench.step(step);
  return await bench.text("design.json");
}

/** The same design, synthesised with its clock and identity. */
export async function wholeDesign(
  bench: Workbench,
  plan: Plan,
  { files }: Variant,
): Promise<string> {
  for (const [name, content] of files) await bench.write(name, content);
  const script = String(plan.files.get("synthesise.ys"))
    .replace("blanks.v", "clock.v tables.v")
    .replace("mapped.json", "whole.json");
  await bench.write("whole.ys", script);
  const [synthesise] = plan.synthesis;
  if (synthesise?.kind !== "tool") throw new Error("the plan synthesises nothing");
  await bench.run({
    ...synthesise,
    args: ["-s", "whole.ys"],
    reads: [...synthesise.reads, "whole.ys", "clock.v", "tables.v"],
    produces: ["whole.json"],
  });
  return await bench.text("whole.json");
}

async function simulationOf(bench: Workbench, variant: Variant, design: string) {
  await bench.write("design.json", design);
  for (const step of variant.steps) if (step.stage === "simulate") await bench.step(step);
  return loadSimulation(await bench.bytes(variant.netlistSimulation));
}

/** Everything that designs show while they are asked who they are and to infer a row, cycle by cycle: equal, or where not. */
export async function compareBehaviour(
  bench: Workbench,
  { plan, variant }: { readonly plan: Plan; readonly variant: Variant },
  designs: readonly [string, string],
): Promise<{
  readonly cycles: number;
  readonly said: number;
  readonly firstDifference: number | null;
}> {
  const { baud = 0, core, vectors } = plan;
  const [one, other] = [
    await simulationOf(bench, variant, designs[0]),
    await simulationOf(bench, variant, designs[1]),
  ] as const;
  const shows = ["tx", "led0", "led1"].filter((port) => hasPort(one, port));
  const clocksPerBit = Math.round(variant.clockHz / baud);
  const payload = new Uint8Array(vectors[0] ?? []);
  const who = { kind: frameKinds.identityRequest, sequence: 1, payload: new Uint8Array() };
  const row = { kind: frameKinds.infer, sequence: 2, payload };
  const answerBits = (bytes: number) => (bytes + 20) * 11;
  const idle = (bits: number) => Array.from({ length: bits }, () => 1);
  const board = getBoardModel(plan.boardModel);
  const line = [
    ...idle(Math.ceil(powerOnCycles(board) / clocksPerBit)),
    ...levelsOf(encodeFrame(who)),
    ...idle(answerBits(48)),
    ...levelsOf(encodeFrame(row)),
    ...idle(answerBits(core?.outputBytes ?? 0)),
  ];
  let cycles = 0;
  let said = 0;
  for (const level of line) {
    for (const design of [one, other]) design.set("rx", level);
    for (let clock = 0; clock < clocksPerBit; clock++, cycles++) {
      for (const design of [one, other]) design.step();
      if (shows.some((port) => one.get(port) !== other.get(port)))
        return { cycles, said, firstDifference: cycles };
      if (one.get("tx") === 0) said++;
    }
  }
  return { cycles, said: Math.round(said / clocksPerBit), firstDifference: null };
}

function hasPort(simulation: Simulation, port: string): boolean {
  try {
    simulation.get(port);
    return true;
  } catch {
    return false;
  }
}

/** Levels of a line, bit by bit. */
const levelsOf = (bytes: Uint8Array): number[] =>
  [...bytes].flatMap((byte) => [0, ...Array.from({ length: 8 }, (_, bit) => (byte >> bit) & 1), 1]);

/** The cells that make a design's clock, as data that two netlists can be compared by: nets by their names in the top. */
export function clockCells(design: string): unknown[] {
  const { cells, netnames } = topOf(design);
  const named = ["clock", "clk", "locked"].flatMap((name) =>
    (netnames[name]?.bits ?? []).map((bit) => [bit, name] as const),
  );
  const names = new Map<Bit, string>(named);
  return Object.values(cells)
    .filter(({ type }) => /PLL|OSC/.test(type))
    .map(({ type, parameters, attributes, connections }) => ({
      type,
      parameters,
      attributes: Object.fromEntries(
        Object.entries(attributes).filter(([key]) => /^[A-Z]/.test(key)),
      ),
      connections: Object.fromEntries(
        Object.entries(connections).flatMap(([port, bits]) => {
          const known = bits.map((bit) => (typeof bit === "string" ? bit : names.get(bit)));
          return known.every((bit) => bit === undefined) ? [] : [[port, known]];
        }),
      ),
    }));
}
