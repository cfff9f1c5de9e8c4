import type { IntegerGraph } from "../../integer/integer-graph";
import { widthFor } from "../../integer/range";
import { buildSweeps, type StoredMaps, type Sweeps, storedMapsOf } from "./build-sweeps";
import {
  constantsImage,
  type MemoryImage,
  type StepProgram,
  stepProgram,
  type TablesImage,
  tablesImage,
  weightImages,
} from "./memories";
import { type Change, planWalk, startsOf, type Walk } from "./plan-walk";
import { type MapSchedule, scheduleSweeps } from "./schedule";
import type { Sweep } from "./sweep";

/** Everything that the text of a core, its taps and its cycles follow from. */
export interface CoreLayout {
  readonly lanes: number;
  readonly sweeps: readonly Sweep[];
  /** Bytes of the memory of maps. */
  readonly depth: number;
  /** Whether some sweep sums two pixels at once; then there are two memories with the same maps. */
  readonly hasPairs: boolean;
  readonly schedule: MapSchedule;
  readonly walk: Walk;
  /** What the registers of the walk hold at the first step. */
  readonly start: Change;
  readonly accumulatorWidth: number;
  /** Bits of hidden values. */
  readonly hiddenWidth: number;
  /** Bits of each score. */
  readonly resultBits: 16 | 32;
  readonly weights: readonly MemoryImage[];
  readonly constants: MemoryImage;
  readonly program: StepProgram;
  /** What values are looked up in; null: nothing. */
  readonly tables: TablesImage | null;
  /** Bits of the registers of the walk. */
  readonly widths: Readonly<Record<keyof Change, number>>;
  readonly inputs: number;
  readonly outputs: number;
}

/** Sweeps with their cycles: what a choice between layouts looks at first. */
export interface TimedSweeps extends Sweeps {
  readonly graph: IntegerGraph;
  readonly lanes: number;
  readonly schedule: MapSchedule;
  /** Whether some sweep sums two pixels at once; then there are two memories with the same maps. */
  readonly hasPairs: boolean;
}

/** @param pairs Whether two pixels may be summed at once, which takes a second memory of maps. */
export function timeSweeps(maps: StoredMaps, lanes: number, pairs: boolean): TimedSweeps {
  const { sweeps, depth } = buildSweeps(maps, { lanes, pairs });
  return {
    graph: maps.graph,
    lanes,
    sweeps,
    depth,
    schedule: scheduleSweeps(sweeps, lanes),
    hasPairs: sweeps.some(({ pair }) => pair !== null),
  };
}

/** Lays out the core of an integer graph of maps, for so many lanes. */
export const layOutCore = (graph: IntegerGraph, lanes: number, pairs = true): CoreLayout =>
  layOutSweeps(timeSweeps(storedMapsOf(graph), lanes, pairs));

/** Lays out the core that runs sweeps. */
export function layOutSweeps(timed: TimedSweeps): CoreLayout {
  const { graph, lanes, sweeps, depth, schedule, hasPairs } = timed;
  const walk = planWalk(sweeps);
  const [start] = startsOf(sweeps);
  if (!start) throw new RangeError("A core has at least one sweep.");
  const sums = graph.nodes.flatMap((node) =>
    "accumulatorWidth" in node ? [node.accumulatorWidth] : [],
  );
  const accumulatorWidth = Math.max(17, ...sums);
  const rows = sweeps.reduce((total, sweep) => total + sweep.weightRows, 0);
  const groups = sweeps.reduce((total, sweep) => total + sweep.constants.length, 0);
  const widths = {
    address: widthFor(depth - 1),
    row: widthFor(rows - 1),
    group: widthFor(groups - 1),
    y: coordinateWidth(sweeps, "y"),
    x: coordinateWidth(sweeps, "x"),
  };
  const hidden = sweeps.flatMap(({ nodes: { value }, answers, format }) =>
    value && !answers ? [format.width] : [],
  );
  return {
    lanes,
    sweeps,
    depth,
    hasPairs,
    schedule,
    walk,
    start,
    accumulatorWidth,
    hiddenWidth: Math.max(...hidden, 2),
    resultBits: graph.output.width > 16 ? 32 : 16,
    weights: weightImages(sweeps, lanes),
    constants: constantsImage(sweeps, lanes, accumulatorWidth),
    program: stepProgram(walk, widths),
    tables: tablesImage(sweeps),
    widths,
    inputs: graph.input.size,
    outputs: graph.output.size,
  };
}

/** Bits, with the sign, of the furthest row or column that a window of any sweep looks at. */
function coordinateWidth(sweeps: readonly Sweep[], axis: "y" | "x"): number {
  const furthest = sweeps.map(({ edge, start, loops, pair }) => {
    if (!edge) return 0;
    const reach = Object.values(loops)
      .flat()
      .reduce((sum, { count, ...steps }) => sum + (count - 1) * steps[axis], start[axis]);
    const size = axis === "y" ? edge.height : edge.width;
    const second = axis === "x" ? (pair?.x ?? 0) : 0;
    return Math.max(reach + second, size, -start[axis]);
  });
  return 1 + widthFor(Math.max(...furthest));
}
