import type { FamilyCosts } from "@/boards";
import type { IntegerGraph } from "../../integer/integer-graph";
import { layersOf } from "../../integer/layers";
import { signedDigits } from "../../integer/signed-digits";
import { type Precision, precisions } from "../../passes/precision";
import type { Subject } from "../architecture";
import { mostUnasked } from "../attempts";
import { buildNetwork } from "./build-network";
import { countedLayers } from "./counted-layers";
import { leastCells } from "./design-unrolled";
import { figuresOf } from "./figures";
import { costsKey, networkKey } from "./network-costs";
import { placeInTime } from "./pipeline";
import type { UnrolledFigures, UnrolledOutline } from "./unrolled-outline";

/** Pairs of digits that sharing looks at for one network, and in all trials at the default bits: half a second or so. */
const pairs = { network: 125_000, trials: 400_000 } as const;
/** Ways of making each layer that are tried at the default bits: within 4 % of as many as pay. */
const mostTrials = 6;

type Built = UnrolledOutline["built"][number];

/** What the estimate of an unrolled core depends on: exact at the named precisions, of nets small enough to build them. */
export function outlineUnrolled(subject: Subject): UnrolledOutline {
  const { graph, graphAt } = subject;
  const { input, output } = graph;
  return {
    inputs: input.size,
    inputBits: input.width,
    scoreBits: output.size * output.width,
    layers: countedLayers(graph, graphAt !== null),
    built: builtFor(subject),
    at: null,
  };
}

function builtFor({ graph, graphAt, costs }: Subject): Built[] {
  const trials = Math.min(mostTrials, trialsFor(graph, costs));
  if (trials === 0) return [];
  const own = { precision: null, figures: figuresByCosts(graph, costs, trials) };
  if (graphAt === null) return [own];
  return [
    own,
    ...named.map((precision) => ({
      precision,
      figures: figuresByCosts(graphAt(precision), costs, 1),
    })),
  ];
}

/** Those besides the default one. */
const { "exact-ish": _usual, ...rest } = precisions;
const named: readonly Precision[] = Object.values(rest);

/** How often a net can be built for all families; 0 where it is too large for once, or to be unrolled unasked. */
function trialsFor(graph: IntegerGraph, costs: readonly FamilyCosts[]): number {
  if (leastCells(graph) > mostUnasked) return 0;
  const own = pairsOf(graph);
  if (own > pairs.network) return 0;
  const networks = new Set(costs.map(networkKey)).size;
  return Math.max(1, Math.floor(pairs.trials / (own * networks)));
}

/** Pairs of digits in the rows of all layers: what the work of sharing them grows with. */
function pairsOf(graph: IntegerGraph): number {
  let sum = 0;
  for (const { dense } of layersOf(graph)) {
    for (let output = 0; output < dense.outputSize; output++) {
      let digits = 0;
      for (let input = 0; input < dense.inputSize; input++) {
        digits += signedDigits(dense.weights[output * dense.inputSize + input] ?? 0).length;
      }
      sum += digits * digits;
    }
  }
  return Math.max(1, sum);
}

/** The figures of a net on every family. Families that make the same network of it share one. */
function figuresByCosts(
  graph: IntegerGraph,
  costs: readonly FamilyCosts[],
  trials: number,
): Record<string, UnrolledFigures> {
  const networks = new Map<string, Parameters<typeof figuresOf>[1]>();
  const figures: Record<string, UnrolledFigures> = {};
  for (const each of costs) {
    const key = networkKey(each);
    let made = networks.get(key);
    if (!made) {
      const network = buildNetwork(graph, each, trials);
      made = { network, pipeline: placeInTime(network, 1) };
      networks.set(key, made);
    }
    figures[costsKey(each)] ??= figuresOf(graph, made, each);
  }
  return figures;
}
