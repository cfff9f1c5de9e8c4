import { parseArgs } from "node:util";
import type { IntegerGraph } from "@/compiler";
import { coniferRows, measureBesideConifer } from "./compiler/beside-conifer";
import { measureBesideNngen, nngenRows } from "./compiler/beside-nngen";
import { da4mlCandidate, da4mlVersion, ourCandidate, type Timed } from "./compiler/candidates";
import { foldedRows, measureFolded } from "./compiler/folded";
import { measureMatrix } from "./compiler/matrix";
import {
  type Figures,
  measure,
  openToolMemory,
  type Target,
  toolVersions,
} from "./compiler/measure";
import { randomNet } from "./compiler/random-net";
import { median } from "./median";

/**
 * Our unrolled networks beside da4ml's, on the same integer graphs with the same Yosys and nextpnr: tables and flip-flops
 * of the network alone, and its clock between shift registers. One row per clock, no multipliers. Then the shared array,
 * `folded-…`, beside the cycles and clocks that are wanted of it, trees beside conifer's and the array beside nngen's. Needs `npm run setup -- peers` and
 * `npm run setup -- ecp5`. Arguments: what the names of the rows begin with; without any, all of them. `--seeds 5` takes five
 * networks beside da4ml's, each placed five times or `--placements` times, and compares medians; `--resume` takes what the tools said of the very same
 * files in an earlier run. `matrix` as the first builds every model for every
 * part instead: see `compiler/matrix`.
 */
const seed = Number(process.env["SEED"] ?? 1);

type Goals = Readonly<Partial<Record<"lut4" | "flipFlops" | "cycles" | "mhz", number>>>;

interface Comparison {
  readonly sizes: readonly number[];
  readonly target: Target;
  readonly ourEvery: number;
  readonly theirCutoff: number;
  /** Whether both fit the part, so that they can be placed. */
  readonly placed: boolean;
  /** Ours in parts of theirs, at most; of the clock, at least. */
  readonly goals: Goals;
  /** The same of ours alone. */
  readonly wanted?: Goals;
}

const goals = { lut4: 0.8, flipFlops: 0.95, cycles: 0.9 } as const;
const comparisons: Readonly<Record<string, Comparison>> = {
  ecp5: {
    sizes: [16, 16, 8, 8, 5],
    target: "ecp5-25f",
    ourEvery: 1,
    theirCutoff: 1,
    placed: true,
    goals: { ...goals, mhz: 2.2 },
  },
  "ecp5-few-cycles": {
    sizes: [16, 16, 8, 8, 5],
    target: "ecp5-25f",
    ourEvery: 3,
    theirCutoff: 3,
    placed: true,
    goals: { cycles: 12 / 11, mhz: 90 / 71 },
    wanted: { cycles: 12, mhz: 90 },
  },
  hx8k: {
    sizes: [16, 8, 8, 5],
    target: "ice40-hx8k",
    ourEvery: 1,
    theirCutoff: 1,
    placed: true,
    goals: { ...goals, mhz: 1.8 },
  },
  "hx8k-larger": {
    sizes: [16, 16, 8, 8, 5],
    target: "ice40-hx8k",
    ourEvery: 1,
    theirCutoff: 1,
    placed: false,
    goals,
  },
};

const {
  values: { seeds: seedCount, placements: placementCount, resume = false },
  positionals: names,
} = parseArgs({
  options: {
    seeds: { type: "string" },
    placements: { type: "string" },
    resume: { type: "boolean" },
  },
  allowPositionals: true,
  strict: false,
});
const memory = openToolMemory(resume === true);
const firstSeeds = (count: unknown) =>
  count === undefined ? [seed] : Array.from({ length: Number(count) }, (_, index) => index + 1);
/** Of networks and of placements: medians are of all of them. */
const seeds = firstSeeds(seedCount);
const placements = firstSeeds(placementCount ?? seedCount);
const asked = <Row>(rows: Readonly<Record<string, Row>>) =>
  Object.entries(rows).filter(
    ([name]) => names.length === 0 || names.some((each) => name.startsWith(each)),
  );

console.log(
  `${toolVersions()}; network seeds ${seeds.join(", ")}, placement seeds ${placements.join(", ")}`,
);
if (names[0] === "matrix") await measureMatrix(process.argv.slice(3));
else await measureCores();

async function measureCores(): Promise<void> {
  for (const [name, row] of asked(foldedRows)) await measureFolded(name, row, seed);
  for (const [name, row] of asked(coniferRows)) await measureBesideConifer(name, row, seed);
  for (const [name, row] of asked(nngenRows)) await measureBesideNngen(name, row, seed);
  const compared = asked(comparisons);
  if (compared.length > 0) console.log(`\nda4ml ${da4mlVersion()}`);
  for (const [name, comparison] of compared) await compare(name, comparison);
}

/** Networks of one size, ours beside da4ml's: figures lie apart by the network's seed and by the placement's. */
async function compare(name: string, comparison: Comparison): Promise<void> {
  const { sizes, target, goals: wished, wanted = {} } = comparison;
  console.log(`\n${name}: ${sizes.join("-")} at 8/6/8 bits on ${target}`);
  const pairs: Pair[] = [];
  for (const each of seeds) pairs.push(await comparePair(comparison, each));
  const middle = (of: (pair: Pair) => number) => median(pairs.map(of).filter(Number.isFinite));
  judge("ours / da4ml", wished, (key) => middle(([ours, theirs]) => ours[key] / theirs[key]));
  judge("ours", wanted, (key) => middle(([ours]) => ours[key]));
}

type Row = Figures & Pick<Timed, "cycles">;
type Pair = readonly [ours: Row, theirs: Row];

async function comparePair(comparison: Comparison, networkSeed: number): Promise<Pair> {
  const { sizes, target, ourEvery, theirCutoff, placed } = comparison;
  const graph: IntegerGraph = randomNet({
    sizes,
    weightWidth: 6,
    activationWidth: 8,
    seed: networkSeed,
  });
  const started = performance.now();
  const ours = ourCandidate(graph, target === "ecp5-25f" ? "ecp5" : "ice40", ourEvery);
  const compileMs = performance.now() - started;
  console.log(`  network ${networkSeed}: our graph to Verilog ${(compileMs / 1000).toFixed(2)} s`);
  const row = async (candidate: Timed): Promise<Row> => {
    const measured = await measure(candidate, { target, seeds: placed ? placements : [], memory });
    if (measured.multipliers > 0) throw new Error(`${candidate.name} took multipliers`);
    const clock = placed
      ? `${measured.mhz.toFixed(1)} MHz; placed with harness ${measured.placedCells} cells`
      : "too large to be placed";
    console.log(
      `  ${candidate.name.padEnd(10)} ${measured.lut4} LUT4, ${measured.flipFlops} flip-flops, ${candidate.cycles} cycles, ${clock}`,
    );
    return { ...measured, cycles: candidate.cycles };
  };
  return [await row(ours), await row(da4mlCandidate(graph, theirCutoff))];
}

/** Prints what a figure came to beside its goal. */
function judge(what: string, goals: Goals, figureOf: (key: keyof Goals) => number): void {
  for (const [name, goal] of Object.entries(goals)) {
    const key = name as keyof Goals;
    const figure = figureOf(key);
    const met = key === "mhz" ? figure >= goal : figure <= goal;
    console.log(
      `  ${key.padEnd(10)} ${what} ${figure.toFixed(3)}, goal ${key === "mhz" ? ">=" : "<="} ${goal.toFixed(2)}: ${met ? "met" : "missed"}`,
    );
  }
}
