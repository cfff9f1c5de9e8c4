import type { IntegerGraph } from "../../integer/integer-graph";
import { convolutionSweep } from "./convolution-sweep";
import { addSweep, poolSweep } from "./elementwise-sweeps";
import { productSweep } from "./product-sweep";
import { cyclesOf } from "./schedule";
import { mapStagesOf, type Stage } from "./stages";
import { type Storage, storeMaps } from "./storage";
import type { Sweep } from "./sweep";
import type { Context } from "./sweep-parts";

export interface Sweeps {
  readonly sweeps: readonly Sweep[];
  /** Bytes of the memory of maps. */
  readonly depth: number;
}

/** Stages and places of a graph: the same for any number of lanes. */
export interface StoredMaps {
  readonly graph: IntegerGraph;
  readonly stages: readonly Stage[];
  readonly storage: Storage;
}

export function storedMapsOf(graph: IntegerGraph): StoredMaps {
  const stages = mapStagesOf(graph);
  return { graph, stages, storage: storeMaps(graph, stages) };
}

/**
 * Lays an integer graph of maps out as sweeps of an array with so many lanes.
 *
 * @param pairs Whether two pixels may be summed at once where a layer has few channels.
 */
export function buildSweeps(
  { graph, stages, storage }: StoredMaps,
  { lanes, pairs }: { readonly lanes: number; readonly pairs: boolean },
): Sweeps {
  const sweeps: Sweep[] = [];
  for (const [index, stage] of stages.entries()) {
    const user = stages.findIndex(
      ({ sum }) => stage.loads && sum?.op === "product" && sum.from[1] === stage.writes,
    );
    const context: Context = {
      graph,
      stage,
      storage,
      lanes,
      answers: index === stages.length - 1,
      loads: user < 0 ? null : user,
    };
    sweeps.push(sweepOf(context, pairs, sweeps));
  }
  return { sweeps, depth: storage.depth };
}

/** @param before Sweeps of earlier stages. */
function sweepOf(context: Context, pairs: boolean, before: readonly Sweep[]): Sweep {
  const { stage, lanes } = context;
  if (stage.sum?.op === "convolution") {
    const single = convolutionSweep(stage.sum, context, false);
    if (!pairs || !canPair(single, context)) return single;
    const paired = convolutionSweep(stage.sum, context, true);
    const isFaster = cyclesOf(paired, lanes) < cyclesOf(single, lanes);
    // All channels of a pixel are written before the next pixel's.
    return isFaster && paired.groups.length === 1 ? paired : single;
  }
  if (stage.sum?.op === "product") {
    const right = before.find(({ loads }) => loads === before.length);
    if (!right) throw new RangeError(`${stage.sum.name} has no weights.`);
    return productSweep(stage.sum, context, right.groups);
  }
  if (stage.sum) return addSweep(stage.sum, context);
  if (stage.pool) return poolSweep(stage.pool, context);
  throw new RangeError("A stage has a node.");
}

/** Pixels are written one behind the other, and scores leave one by one. */
const canPair = ({ writes, answers, loads, writtenWidth }: Sweep, { lanes }: Context): boolean =>
  lanes % 2 === 0 && loads === null && writes.skip === 0 && !answers && writtenWidth > 1;
