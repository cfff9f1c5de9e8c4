import { type BoardModel, getBoardModel } from "@/boards";
import { type Graph, outlineOf } from "@/compiler";
import { forecast } from "@/compiler/forecast";
import { coreFor } from "@/tests/support/compiler/core-for";
import { denseGraph } from "@/tests/support/compiler/dense-graph";
import { loadSample } from "@/tests/support/compiler/samples";

/**
 * How long people wait for what runs before any tool: from a model to its Verilog, and the form's forecast. Medians of
 * several runs after one that warms up, in this process; the forecast is the very code that the page runs.
 */
const runs = 9;
const rows: readonly (readonly [string, Graph, board: string])[] = [
  ["21,354 parameters, array", denseGraph([64, 160, 64, 10]), "ulx3s-45f"],
  ["16-16-8-8-5, unrolled", denseGraph([16, 16, 8, 8, 5]), "ulx3s-45f"],
  ["digits-mlp, array", loadSample("digits-mlp").graph, "icebreaker"],
];
/** Of the largest net; and of any forecast. */
const goals = { compileMs: 1000, forecastMs: 30 };

let largest = { compileMs: 0, forecastMs: 0 };
for (const [name, graph, id] of rows) {
  const board = getBoardModel(id);
  const compiled = times(() => coreFor(graph, targetOf(board)));
  const outline = outlineOf(graph);
  const guessed = times(() => forecast({ outline, board }));
  const { lanes } = coreFor(graph, targetOf(board));
  const form = lanes === null ? "unrolled" : `array of ${lanes}`;
  process.stdout.write(
    `${`${name} on ${id} (${form})`.padEnd(58)} Verilog ${show(compiled)}, forecast ${show(guessed)}\n`,
  );
  largest = {
    compileMs: Math.max(largest.compileMs, median(compiled)),
    forecastMs: Math.max(largest.forecastMs, median(guessed)),
  };
}
for (const [what, goal] of Object.entries(goals)) {
  const ms = largest[what as keyof typeof goals];
  process.stdout.write(
    `${what}: ${ms.toFixed(1)} (goal <= ${goal}: ${ms <= goal ? "met" : "missed"})\n`,
  );
}

function targetOf({ part }: BoardModel) {
  return { family: part.family, part: part.resources };
}

function times(work: () => unknown): number[] {
  work();
  return Array.from({ length: runs }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
}

function median(ms: readonly number[]): number {
  return ms.toSorted((a, b) => a - b)[ms.length >> 1] ?? 0;
}

function show(ms: readonly number[]): string {
  return `${median(ms).toFixed(1)} ms (longest ${Math.max(...ms).toFixed(1)})`;
}
