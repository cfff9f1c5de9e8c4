import type { Span, Timeline } from "@/lib/common/contract";
import type { IntegerGraph, Tap } from "../integer-graph";

export interface TimelineRequest {
  readonly graph: IntegerGraph;
  readonly taps: readonly Tap[];
  readonly latencyCycles: number;
  /** What an array multiplies when; layers count from 0. Without it, a layer works from one value to the next. */
  readonly groups?: readonly {
    readonly layer: number;
    readonly start: number;
    readonly inputs: number;
  }[];
}

/** Spans of a row that are told apart; beyond, they run into one. */
const maxSpans = 64;

/**
 * What a core does when, as one row of inputs passes it. Cycle 0 is the one in which the last input byte passes; before
 * it, bytes are counted as if one came in every cycle, which a serial line never reaches.
 */
export function timelineOf({ graph, taps, latencyCycles, groups }: TimelineRequest): Timeline {
  const inputBytes = graph.input.size;
  const outputBytes = (graph.output.size * graph.output.width) / 8;
  let ready = 0;
  const layers = stagesOf(graph).map(({ name, nodes }, layer) => {
    const cycles = taps.filter(({ node }) => nodes.has(node)).map(({ cycle }) => cycle);
    const last = cycles.reduce((latest, cycle) => Math.max(latest, cycle), ready);
    const own = groups?.filter((group) => group.layer === layer);
    const spans = own
      ? merged(own.map(({ start, inputs }) => ({ from: start, to: start + inputs - 1 })))
      : [{ from: Math.min(ready + 1, last), to: last }];
    ready = last;
    return { name, kind: "layer" as const, spans };
  });
  return {
    rows: [
      {
        name: graph.input.name,
        kind: "input",
        bytes: inputBytes,
        spans: [{ from: 1 - inputBytes, to: 0 }],
      },
      ...layers,
      {
        name: graph.output.name,
        kind: "output",
        bytes: outputBytes,
        spans: [{ from: latencyCycles, to: latencyCycles + outputBytes - 1 }],
      },
    ],
  };
}

/** Nodes that make up one layer: a dense node and what requantises it. Any other node is a layer of its own. */
function stagesOf({ nodes }: IntegerGraph): { name: string; nodes: Set<string> }[] {
  const stages: { name: string; nodes: Set<string> }[] = [];
  for (const { op, name } of nodes) {
    const before = stages.at(-1);
    if (op === "requantize" && before) before.nodes.add(name);
    else stages.push({ name, nodes: new Set([name]) });
  }
  return stages;
}

/** Spans in order, those that touch no longer apart once there are too many to tell apart. */
function merged(spans: readonly Span[]): Span[] {
  if (spans.length <= maxSpans) return [...spans];
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last && span.from <= last.to + 1) joined[joined.length - 1] = { ...last, to: span.to };
    else joined.push(span);
  }
  const [first] = joined;
  const end = joined.at(-1);
  return joined.length <= maxSpans || !first || !end ? joined : [{ from: first.from, to: end.to }];
}
