import { familyCosts } from "@/boards";
import type { IntegerGraph } from "@/compiler";
import { emitCore } from "@/compiler/architectures/array/emit";
import { laneMultipliers, multipliersOf } from "@/compiler/architectures/array/multipliers";
import { buildSchedule } from "@/compiler/architectures/array/schedule";
import { layerShapesOf } from "@/compiler/architectures/array/stages";
import type { Timed } from "./candidates";
import { measure, type Target } from "./measure";
import { randomNet } from "./random-net";

/** One array on one part, with what is wanted of it. Cells count the harness, about 110 of them. */
export interface Folded {
  readonly sizes: readonly number[];
  readonly target: Target;
  readonly family: string;
  readonly dsp: number;
  readonly lanes: number;
  readonly goals: { readonly cycles: number; readonly mhz: number; readonly cells?: number };
}

const sizes = [16, 64, 32, 32, 5];
const up5k = { sizes, target: "ice40-up5k", family: "ice40", dsp: 8 } as const;
const ecp5 = { sizes, target: "ecp5-25f", family: "ecp5", dsp: 28 } as const;

/** The shared array on 16-64-32-32-5 at 8/8/8 bits. */
export const foldedRows: Readonly<Record<string, Folded>> = {
  "folded-up5k-8": { ...up5k, lanes: 8, goals: { cycles: 560, mhz: 48 } },
  "folded-up5k-16": { ...up5k, lanes: 16, goals: { cycles: 305, mhz: 48, cells: 1600 } },
  "folded-ecp5-16": { ...ecp5, lanes: 16, goals: { cycles: 305, mhz: 80 } },
  "folded-ecp5-48": { ...ecp5, lanes: 48, goals: { cycles: 190, mhz: 80 } },
};

/** Places one array and prints what it takes, beside what is wanted. */
export async function measureFolded(name: string, row: Folded, seed: number): Promise<void> {
  const { goals, target } = row;
  const graph = randomNet({ sizes: row.sizes, weightWidth: 8, activationWidth: 8, seed });
  const candidate = foldedCandidate(graph, row);
  const { placedCells, blockRams, multipliers, mhz } = await measure(candidate, {
    target,
    seeds: [seed],
  });
  const judged = (met: boolean, goal: string) => `(goal ${goal}: ${met ? "met" : "missed"})`;
  const cells = goals.cells ? ` ${judged(placedCells <= goals.cells, `<= ${goals.cells}`)}` : "";
  console.log(`\n${name}: ${row.sizes.join("-")} at 8/8/8 bits on ${target}, ${row.lanes} lanes
  cycles ${candidate.cycles} ${judged(candidate.cycles <= goals.cycles, `<= ${goals.cycles}`)}
  clock  ${mhz.toFixed(1)} MHz ${judged(mhz >= goals.mhz, `>= ${goals.mhz}`)}
  cells  ${placedCells} with harness${cells}; ${blockRams} block RAMs, ${multipliers} multipliers
  time   ${(candidate.cycles / Math.min(mhz, goals.mhz)).toFixed(2)} us at ${Math.min(mhz, goals.mhz).toFixed(0)} MHz`);
}

/** A `core` with all of its ports, as the harness takes it. */
export const coreInstance = {
  inputBits: 12,
  outputBits: 43,
  instance: `  core core (.clk(clk), .rst(row[0]), .in_valid(row[1]), .in_last(row[2]), .out_ready(row[3]), .in_data(row[11:4]),
    .in_ready(answer[0]), .out_valid(answer[1]), .out_last(answer[2]), .out_data(answer[10:3]), .cycles(answer[42:11]));`,
} as const;

function foldedCandidate(graph: IntegerGraph, { lanes, family, dsp }: Folded): Timed {
  const schedule = buildSchedule(layerShapesOf(graph), lanes);
  const multipliers = laneMultipliers(lanes, multipliersOf({ costs: familyCosts(family), dsp }));
  return {
    name: `${lanes} lanes`,
    sources: {
      "core.v": emitCore(graph, schedule, { constants: "block", result: "block", multipliers }),
    },
    ownMultipliers: multipliers.paired,
    ...coreInstance,
    cycles: schedule.latencyCycles,
  };
}
