import type { Graph } from "@/compiler";
import { getEngine } from "@/engines";
import { digestOf } from "@/lib/server/digest";
import { planRequest } from "@/tests/support/compiler/plan-request";
import type { Workbench } from "./plan-runner";

/** Builds a graph for a board with 8 lanes, through every step of its plan. @param key Equal keys give equal digests. */
export async function placeGraph(
  bench: Workbench,
  graph: Graph,
  {
    board,
    clockHz,
    key,
  }: { readonly board: string; readonly clockHz: number; readonly key: string },
) {
  const request = planRequest("iris-mlp", board, { card: null });
  const plan = getEngine("boardwalk").plan({
    ...request,
    model: { ...request.model, graph, digest: digestOf(key) },
    options: { clockHz, lanes: 8 },
  });
  const [variant] = plan.variants;
  if (!variant) throw new Error("the plan builds nothing");
  for (const [name, content] of [...plan.files, ...variant.files]) await bench.write(name, content);
  for (const step of [...plan.synthesis, ...variant.steps]) await bench.step(step);
  const { fmax, utilization } = JSON.parse(await bench.text("report.json")) as {
    fmax: Record<string, { achieved: number }>;
    utilization: Record<string, { used: number }>;
  };
  const reachedHz = 1e6 * Math.min(...Object.values(fmax).map(({ achieved }) => achieved));
  const estimatedCells = plan.forecast.resources.find(({ id }) => id === "lut")?.used ?? 0;
  return { plan, variant, reachedHz, utilization, estimatedCells };
}
