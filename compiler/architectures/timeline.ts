import type { Span, Timeline } from "@/lib/common/contract";
import type { IntegerGraph, Tap } from "../integer/integer-graph";

/** When a layer is at work. */
export interface LayerSpans {
  readonly name: string;
  readonly spans: readonly Span[];
}

export interface TimelineRequest {
  readonly graph: IntegerGraph;
  /** In the order in which they work. */
  readonly layers: readonly LayerSpans[];
  readonly latencyCycles: number;
}

/** Spans of a row that are told apart; beyond, they run into one. */
const maxSpans = 64;

/**
 * What a core does when, as one row of inputs passes it. Cycle 0 is the one in which the last input byte passes; before
 * it, bytes are counted as if one came in every cycle, which a serial line never reaches.
 */
export function timelineOf({ graph, layers, latencyCycles }: TimelineRequest): Timeline {
  const inputBytes = graph.input.size;
  const outputBytes = (graph.output.size * graph.output.width) / 8;
  return {
    rows: [
      {
        name: graph.input.name,
        kind: "input",
        bytes: inputBytes,
        spans: [{ from: 1 - inputBytes, to: 0 }],
      },
      ...layers.map(({ name, spans }) => ({ name, kind: "layer" as const, spans: merged(spans) })),
      {
        name: graph.output.name,
        kind: "output",
        bytes: outputBytes,
        spans: [{ from: latencyCycles, to: latencyCycles + outputBytes - 1 }],
      },
    ],
  };
}

/** Layers that work one after the other, each from the last value of the one before to its own. */
export function layersByTaps(graph: IntegerGraph, taps: readonly Tap[]): LayerSpans[] {
  let ready = 0;
  return stagesOf(graph).map(({ name, nodes }) => {
    const cycles = taps.filter(({ node }) => nodes.has(node)).map(({ cycle }) => cycle);
    const last = cycles.reduce((latest, cycle) => Math.max(latest, cycle), ready);
    const spans = [{ from: Math.min(ready + 1, last), to: last }];
    ready = last;
    return { name, spans };
  });
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
