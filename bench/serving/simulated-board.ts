import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { getBoardModel } from "@/boards";
import { getEngine } from "@/engines";
import type { Manifest } from "@/lib/common/contract";
import { digestOf } from "@/lib/server/digest";
import { compileNetlist } from "@/simulator/compile";
import { netlistOf } from "@/tests/simulator/support/tools";
import { planRequest } from "@/tests/support/compiler/plan-request";
import type { ServedModel } from "./model";

/** A design of a sample for a board, as a build would have made it, and how it is asked. */
export interface SimulatedDesign {
  readonly manifest: Manifest;
  readonly model: ServedModel;
  /** Where the two files are that a simulated board loads. */
  readonly manifestPath: string;
  readonly simulationPath: string;
}

/** Compiles the core of iris-mlp for an iCEBreaker and puts it into a folder. Needs Yosys, and nothing to place it with. */
export async function buildIris(folder: string): Promise<SimulatedDesign> {
  const plan = getEngine("boardwalk").plan(planRequest("iris-mlp", "icebreaker"));
  const netlist = await netlistOf({ "core.v": String(plan.files.get("core.v")) });
  const { wasm } = compileNetlist(netlist, { top: "core" });
  const clockHz = plan.variants[0]?.clockHz;
  const manifest: Manifest = {
    schemaVersion: 1,
    kind: plan.kind,
    engine: plan.engine,
    boardModel: plan.boardModel,
    part: getBoardModel(plan.boardModel).part.id,
    planDigest: plan.digest,
    sourceDigest: plan.digest,
    platform: plan.platform,
    io: plan.io,
    ...(plan.core ? { core: plan.core } : {}),
    ...(clockHz === undefined ? {} : { clockHz }),
    maxBatchSize: plan.maxBatchSize,
    simulate: "core",
    tools: {},
    files: [
      {
        role: "simulation",
        name: "simulation",
        digest: digestOf(wasm),
        sizeBytes: wasm.length,
      },
    ],
  };
  const manifestPath = join(folder, "manifest.json");
  const simulationPath = join(folder, "simulation.wasm");
  writeFileSync(manifestPath, JSON.stringify(manifest));
  writeFileSync(simulationPath, wasm);
  const [input, output] = [plan.io.inputs[0], plan.io.outputs[0]];
  if (!input || !output) throw new Error("the design has no edges");
  const edge = ({ name, shape }: { name: string; shape: readonly number[] }) => ({
    name,
    row: shape.slice(1),
  });
  const path = "public/samples/iris-mlp/model.onnx";
  const model = { path, name: "iris-mlp", input: edge(input), output: edge(output) };
  return { manifest, model, manifestPath, simulationPath };
}
