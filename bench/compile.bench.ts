import { getBoardModel } from "@/boards";
import { type Graph, outlineOf, targetOf } from "@/compiler";
import { forecast } from "@/compiler/forecast";
import { coreFor } from "@/tests/support/compiler/core-for";
import { denseGraph } from "@/tests/support/compiler/dense-graph";
import { loadSample } from "@/tests/support/compiler/samples";
import { median } from "./median";

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
/** Of the slowest row. */
const goals = { compileMs: 1000, forecastMs: 30 };

const slowest = { compileMs: 0, forecastMs: 0 };
for (const [name, graph, id] of rows) {
  const board = getBoardModel(id);
  const compiled = time(() => coreFor(graph, targetOf(board)));
  const outline = outlineOf(graph);
  const guessed = time(() => forecast({ outline, board }));
  const { lanes } = compiled.made;
  const form = lanes === null ? "unrolled" : `array of ${lanes}`;
  process.stdout.write(
    `${`${name} on ${id} (${form})`.padEnd(58)} Verilog ${show(compiled.ms)}, forecast ${show(guessed.ms)}\n`,
  );
  slowest.compileMs = Math.max(slowest.compileMs, median(compiled.ms));
  slowest.forecastMs = Math.max(slowest.forecastMs, median(guessed.ms));
}
for (const [what, goal] of Object.entries(goals)) {
  const ms = slowest[what as keyof typeof goals];
  process.stdout.write(
    `${what}: ${ms.toFixed(1)} (goal <= ${goal}: ${ms <= goal ? "met" : "missed"})\n`,
  );
}

/** What some work makes, and how long it takes each time. */
function time<T>(work: () => T): { readonly made: T; readonly ms: readonly number[] } {
  const made = work();
  const ms = Array.from({ length: runs }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return { made, ms };
}

function show(ms: readonly number[]): string {
  return `${median(ms).toFixed(1)} ms (longest ${Math.max(...ms).toFixed(1)})`;
}
