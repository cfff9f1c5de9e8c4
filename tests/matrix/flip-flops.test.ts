import { describe, expect, it } from "vitest";
import { type BoardModel, getBoardModel } from "@/boards";
import { type Graph, outlineOf, targetOf } from "@/compiler";
import { forecast } from "@/compiler/forecast";
import { coreFor } from "@/tests/support/compiler/core-for";
import { imageNet } from "@/tests/support/compiler/map-graph";
import { loadSample } from "@/tests/support/compiler/samples";
import { loadTreeSample } from "@/tests/support/compiler/tree-samples";
import { runTool, textOf } from "../hardware/support/tools";

/** Of the serial shell, which forecasts count and a lone core does not have. */
const shellFlipFlops = 480;
const board = getBoardModel("ulx3s-85f");
const target = targetOf(board);

const coreOf = {
  array: (graph: Graph) => coreFor(graph, target, { architecture: "array" }),
  maps: (graph: Graph) => coreFor(graph, target),
  trees: (graph: Graph) => coreFor(graph, target),
} as const;

/** Flip-flops of a core as it is mapped to ECP5. */
async function mapped(verilog: string): Promise<number> {
  const script = "read_verilog core.v; synth_ecp5 -top core; tee -q -o stat.json stat -json";
  const { files } = await runTool("yosys", ["-q", "-p", script], { "core.v": verilog });
  const { design } = JSON.parse(textOf(files, "stat.json")) as {
    design: { num_cells_by_type: Record<string, number> };
  };
  return design.num_cells_by_type["TRELLIS_FF"] ?? 0;
}

function forecastOf(graph: Graph, on: BoardModel): number {
  const result = forecast({ outline: outlineOf(graph), board: on, architecture: "array" });
  if (!result.fits) throw new Error(result.lack);
  return result.flipFlops.expected - shellFlipFlops;
}

describe("flip-flops of a core on ECP5", { timeout: 600_000 }, () => {
  it.each([
    { what: "digits in the array", kind: "array", graph: loadSample("digits-mlp").graph },
    { what: "iris in the array", kind: "array", graph: loadSample("iris-mlp").graph },
    { what: "images of 28 × 28", kind: "maps", graph: imageNet([4, 8]) },
    {
      what: "trees of XGBoost",
      kind: "trees",
      graph: loadTreeSample("breast-cancer-xgboost/model.json").graph,
    },
    {
      what: "a forest of scikit-learn",
      kind: "trees",
      graph: loadTreeSample("wine-sklearn-forest/model.onnx").graph,
    },
  ] as const)("are forecast to a fifth: $what", async ({ kind, graph }) => {
    const used = await mapped(coreOf[kind](graph).verilog);
    const expected = forecastOf(graph, board);
    expect(Math.abs(expected / used - 1), `${expected} of ${used}`).toBeLessThan(0.2);
  });
});
