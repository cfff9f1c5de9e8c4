import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { targetOf } from "@/compiler";
import type { Build } from "@/lib/common/contract";
import type { Tensor } from "@/lib/common/tensor";
import { coreFor } from "@/tests/support/compiler/core-for";
import { loadTreeSample } from "@/tests/support/compiler/tree-samples";
import { answerRows, winners } from "../workers/answer-rows";
import { wholeBuilds } from "../workers/whole-builds";

// Trees from the file to an answer, on a simulated board and on the CPU: the same classes on every row.

const builds = wholeBuilds();
const folder = mkdtempSync(join(tmpdir(), "bw-trees-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fixtures = "tests/fixtures/models";

function build(id: string, file: string, onBoard: boolean, mark = ""): Promise<Build> {
  const key = `${id}-${file.replace("model.", "")}`;
  const engine = file.endsWith(".onnx") ? "onnx" : "xgboost";
  return builds.build({
    key,
    files: { [file]: readFileSync(`${fixtures}/${id}/${file}`) },
    name: `${key}-${onBoard ? "fpga" : "cpu"}${mark}`,
    engine: onBoard ? "boardwalk" : engine,
    board: onBoard ? { model: "icebreaker", kind: "simulated" } : { model: "cpu", kind: "cpu" },
    ...(onBoard ? { options: { clockHz: 24_000_000 } } : {}),
  });
}

async function answer({ artifactDigest }: Build, kind: "simulated" | "cpu", input: Tensor) {
  const outputs = await answerRows(builds.stack, artifactDigest ?? "", [input], kind);
  return new Map(outputs.map(({ name, data }) => [name, Array.from(data as Float32Array, Number)]));
}

function referenceInput(id: string): Tensor {
  const { inputs } = JSON.parse(readFileSync(`${fixtures}/${id}/reference.json`, "utf8"));
  const { shape, data } = inputs.features as { shape: number[]; data: (number | null)[] };
  const values = Float32Array.from(data, (value) => value ?? Number.NaN);
  return { name: "features", datatype: "FP32", shape, data: values };
}

describe("trees on a simulated iCEBreaker", { timeout: 600_000 }, () => {
  it.each([
    { id: "breast-cancer-xgboost", file: "model.json", classes: 2, tolerance: 0.01 },
    { id: "iris-xgboost", file: "model.onnx", classes: 3, tolerance: 0.01 },
    { id: "wine-sklearn-forest", file: "model.onnx", classes: 3, tolerance: 0.01 },
    { id: "diabetes-xgboost", file: "model.ubj", classes: 1, tolerance: 0.5 },
  ])("$id/$file answers as the CPU does", async ({ id, file, classes, tolerance }) => {
    const firmware = await build(id, file, true);
    expect(firmware.problem).toBeNull();
    const { proof, latencyCycles, achievedMhz, resources } = firmware.report ?? {};
    expect(proof).toMatchObject({ mismatches: 0 });
    expect(proof?.vectors).toBeGreaterThan(1000);
    expect(latencyCycles).toBeLessThanOrEqual(12);
    expect(achievedMhz).toBeGreaterThan(24);
    expect(resources?.find((each) => each.id === "lut")?.used).toBeLessThan(3500);
    if (classes > 1) expect(proof?.agreement).toBeGreaterThan(0.95);

    const input = referenceInput(id);
    const fpga = await answer(firmware, "simulated", input);
    const cpu = await answer(await build(id, file, false), "cpu", input);
    expect([...fpga.keys()]).toEqual([...cpu.keys()]);
    for (const [output, wanted] of cpu) {
      const got = fpga.get(output) ?? [];
      expect(got).toHaveLength(wanted.length);
      if (output === "label") expect(got).toEqual(wanted);
      else if (classes > 1) expect(winners(got, classes)).toEqual(winners(wanted, classes));
      const errors = wanted.map((value, index) => Math.abs((got[index] ?? Number.NaN) - value));
      expect(Math.max(...errors)).toBeLessThan(tolerance);
    }
  });
});

describe("a tree core with one fault", { timeout: 600_000 }, () => {
  const { id, file } = { id: "breast-cancer-xgboost", file: "model.json" } as const;
  const target = targetOf(getBoardModel("icebreaker"));
  const { verilog } = coreFor(loadTreeSample(`${id}/${file}`).graph, target);
  const found = (pattern: RegExp): string => verilog.match(pattern)?.[0] ?? "";
  const threshold = found(/low_below_\d+ <= in_data\[3:0\] < 4'd\d+/);
  const children = found(/\(below_\w+ \? \d+'d\d+ : \d+'d\d+\)/);
  const leaf = found(/value_0_0 <= .*;/);
  const faults = [
    {
      what: "a threshold",
      from: threshold,
      to: threshold.replace(/\d+$/, (limit) => String(Number(limit) ^ 1)),
    },
    {
      what: "a child",
      from: children,
      to: children.replace(/ \? (\S+) : (\S+)\)/, " ? $2 : $1)"),
    },
    {
      what: "a leaf",
      from: leaf,
      to: leaf.replace(/'d(\d+)/, (_, value) => `'d${Number(value) ^ 1}`),
    },
  ];

  it.each(faults)("$what fails its build and names the trees", async ({ what, from, to }) => {
    expect(from).not.toBe("");
    expect(to).not.toBe(from);
    const path = join(folder, "mutation.json");
    writeFileSync(path, JSON.stringify({ file: "core.v", from, to }));
    await builds.rebuildWith({ mutation: `file:${path}` });
    const { state, problem } = await build(id, file, true, what.replace(" ", "-"));
    expect(state).toBe("failed");
    expect(problem?.reason).toBe("VERIFICATION_FAILED");
    expect(problem?.message).toContain("first at node TreeEnsembleRegressor_margins, element");
  });
});
