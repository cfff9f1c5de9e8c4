import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getEngine, type Plan, runReference } from "@/engines";
import { decodeRows, encodeRows } from "@/lib/common/core-io";
import { compileNetlist } from "@/simulator/compile";
import { netlistOf } from "@/tests/simulator/support/tools";
import { planRequest } from "@/tests/support/compiler/plan-request";

// The page's script for Node, as it stands, on the files of an artifact.

const folder = mkdtempSync(join(tmpdir(), "bw-docs-simulation-"));
const page = readFileSync("docs/simulation-interface.md", "utf8");
const script = /```js\n(\/\/ run-design\.mjs[\s\S]*?)```/.exec(page)?.[1] ?? "";
const row = [6.3, 2.5, 4.9, 1.5];
let plan: Plan;

/** Bytes of the integer graph's answer, low byte first. */
function answerOf(bytes: Uint8Array): Uint8Array {
  const { core, reference } = plan;
  if (!core || !reference) throw new Error("the plan has no core");
  const { output } = runReference(reference, new Int8Array(bytes));
  const answer = Buffer.alloc(core.outputBytes);
  output.forEach((score, index) => {
    answer.writeIntLE(score, index * core.bytesPerOutput, core.bytesPerOutput);
  });
  return answer;
}

function writeVectors(change: (outputs: Buffer) => void = () => {}): void {
  const rows = plan.vectors.slice(0, 40);
  const outputs = Buffer.concat(rows.map((each) => answerOf(Uint8Array.from(each))));
  change(outputs);
  const inputs = Buffer.concat(rows.map((each) => Uint8Array.from(each)));
  const base64 = { inputs: inputs.toString("base64"), outputs: outputs.toString("base64") };
  writeFileSync(join(folder, "vectors.json"), JSON.stringify({ rows: rows.length, ...base64 }));
}

const run = (...args: readonly string[]) =>
  execFileSync(process.execPath, ["run-design.mjs", ...args], { cwd: folder, encoding: "utf8" });

beforeAll(async () => {
  plan = getEngine("boardwalk").plan(planRequest("iris-mlp", "icebreaker"));
  const core = plan.files.get("core.v");
  if (typeof core !== "string") throw new Error("the plan has no core");
  const netlist = await netlistOf({ "core.v": core });
  const { wasm } = compileNetlist(netlist, { top: "core" });
  const manifest = { io: plan.io, core: plan.core };
  writeFileSync(join(folder, "artifact.json"), JSON.stringify({ manifest }));
  writeFileSync(join(folder, "simulation.wasm"), wasm);
  writeFileSync(join(folder, "run-design.mjs"), script);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the script of docs/simulation-interface.md", () => {
  it("runs every vector, and a row of reals to the scores of the board server", () => {
    writeVectors();
    const [vectors, scores, cycles] = run(JSON.stringify(row)).trim().split("\n");
    expect(vectors).toBe("40 of 40 vectors equal");
    const { io, core } = plan;
    if (!core) throw new Error("the plan has no core");
    const data = Float32Array.from(row);
    const input = {
      name: io.inputs[0]?.name ?? "",
      datatype: "FP32",
      shape: [1, 4],
      data,
    } as const;
    const { bytes } = encodeRows(io, core, [input]);
    const plain = io.outputs.map((output) => ({ ...output, activation: "none" as const }));
    const [wanted] = decodeRows({ ...io, outputs: plain }, core, answerOf(bytes), 1);
    if (!wanted) throw new Error("there is no output");
    expect(scores).toBe(`scores ${[...(wanted.data as Float32Array)].join(" ")}`);
    expect(cycles).toBe(`${core.latencyCycles} cycles, scheduled ${core.latencyCycles}`);
  });

  it("tells when a design answers otherwise", () => {
    writeVectors((outputs) => {
      outputs[7] = (outputs[7] ?? 0) ^ 1;
    });
    expect(run()).toBe("39 of 40 vectors equal\n");
  });
});
