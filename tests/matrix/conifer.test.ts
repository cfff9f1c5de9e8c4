import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Build, NewEndpoint } from "@/lib/common/contract";
import { buckets } from "@/lib/server/storage";
import { EmulatedBoards, filesOf } from "@/tests/workers/emulated-boards";
import { toolsFolder } from "@/tests/workers/folders";
import { startWorkerStack, type WorkerStack } from "@/tests/workers/worker-stack";

// Trees through conifer itself, by the worker, in the sandbox, to a program that a board runs.

let stack: WorkerStack;
let worker: ReturnType<WorkerStack["startBuilder"]>;
let boards: EmulatedBoards;

beforeAll(async () => {
  stack = await startWorkerStack();
  worker = stack.startBuilder();
  boards = new EmulatedBoards(stack);
});
afterAll(async () => {
  await boards.close();
  await worker.close();
  await stack.stop();
});

const folderOf = (id: string) => `tests/fixtures/models/${id}`;

async function build(
  id: string,
  file: string,
  {
    options = {} as Record<string, unknown>,
    board = { model: "cpu", kind: "cpu" } as NewEndpoint["board"],
    name = id,
  } = {},
): Promise<Build> {
  const beside = ["card.json", "test.csv"].filter((each) => existsSync(join(folderOf(id), each)));
  for (const each of [file, ...beside]) {
    const bytes = readFileSync(join(folderOf(id), each));
    await stack.store.put(buckets.samples, `conifer/${id}/${each}`, bytes, {
      sizeBytes: bytes.length,
    });
  }
  const url = `s3://${buckets.samples}/conifer/${id}/${file}`;
  const request: NewEndpoint = { name, engine: "conifer", model: { url }, board, options };
  return await stack.ended(await stack.deploy(request));
}

/** What conifer's own `decision_function` answers to rows, of the project that a build stored. */
function ownAnswers(project: Buffer, rows: Float32Array, width: number): number[] {
  const files = unzipSync(project);
  const folder = stack.home;
  writeFileSync(join(folder, "model.json"), files["firmware_model.json"] ?? "");
  writeFileSync(join(folder, "rows.bin"), rows);
  const script = `
import json, os, pathlib, sys
import hls4ml, numpy
os.environ["XILINX_AP_INCLUDE"] = str(pathlib.Path(hls4ml.__path__[0]) / "templates/vivado/ap_types")
from conifer.model import load_model
saved = json.load(open("model.json"))
model = load_model("model.json", {**saved["config"], "output_dir": "own"})
model.compile()
rows = numpy.fromfile("rows.bin", "<f4").reshape(-1, ${width}).astype("<f8")
json.dump(model.decision_function(rows).astype("<f4").reshape(-1).tolist(), open("own.json", "w"))
`;
  const python = join(toolsFolder, "hls4ml/bin/python");
  execFileSync(python, ["-c", script], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  return JSON.parse(readFileSync(join(folder, "own.json"), "utf8"));
}

/** Rows around those that the model's reference has. */
function rowsNear(id: string, width: number, count: number): Float32Array {
  const { inputs } = JSON.parse(readFileSync(join(folderOf(id), "reference.json"), "utf8"));
  const known: number[] = inputs.features.data;
  let seed = 7;
  return Float32Array.from({ length: count * width }, (_, at) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return (known[at % known.length] ?? 0) * (1 + ((seed % 1001) - 500) / 2500);
  });
}

describe("trees on a CPU board", { timeout: 900_000 }, () => {
  it("answer as conifer does, 1,000 rows bit for bit, and are measured beside the original", async () => {
    const built = await build("diabetes-xgboost", "model.json");
    const board = await boards.serve(built);
    const { manifest, read } = await filesOf(stack, built);
    expect(manifest).toMatchObject({
      ...{ engine: "conifer", kind: "model", platform: "boardwalk_conifer" },
      tools: { conifer: expect.stringMatching(/^conifer 1\.11,/) },
    });
    const { proof, accuracy } = built.report ?? {};
    expect(proof).toMatchObject({ mismatches: 0, maxAbsError: expect.any(Number) });
    expect(accuracy?.test.rows).toBeGreaterThan(0);
    const rows = rowsNear("diabetes-xgboost", 10, 1000);
    const given = { name: "features", datatype: "FP32" as const, shape: [1000, 10], data: rows };
    const { outputs } = await board.infer([given]);
    const own = ownAnswers(await read("project"), rows, 10);
    expect(own).toHaveLength(1000);
    expect(Array.from(outputs[0]?.data as Float32Array)).toEqual(own);
  });

  it("answer probabilities of two classes and of three, as XGBoost does", async () => {
    for (const [id, file, least] of [
      ["breast-cancer-xgboost", "model.ubj", 0.99],
      ["iris-xgboost", "model.json", 0.98],
    ] as const) {
      const built = await build(id, file);
      await boards.serve(built);
      expect(built.report?.proof?.agreement).toBeGreaterThanOrEqual(least);
      expect(built.report?.notes?.join(" ")).toMatch(/ap_fixed<18,/);
    }
  });

  it("show what too few bits cost", async () => {
    const options = { width: 8, integerBits: 3, overflow: "wrap" };
    const built = await build("breast-cancer-xgboost", "model.ubj", { options, name: "narrow" });
    expect(built.problem).toBeNull();
    expect(built.report?.proof?.agreement).toBeLessThan(0.9);
  });

  it("are a project for a board of AMD's, whose emulation a simulated one runs", async () => {
    const board = { model: "zedboard", kind: "simulated" } as const;
    const built = await build("iris-xgboost", "model.json", { board, name: "project" });
    await boards.serve(built);
    expect(built.report?.bitstreamNeeds).toBe("Vitis HLS");
    const files = unzipSync(await (await filesOf(stack, built)).read("project"));
    expect(Buffer.from(files["hls_parameters.tcl"] ?? "").toString()).toMatch(/set part xc7z020/);
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(["build_hls.tcl", "firmware/parameters.h", "firmware/BDT.h"]),
    );
    expect(Buffer.from(files["firmware_model.json"] ?? "").toString()).not.toMatch(/user|host/);
  });
});
