import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { getArtifact } from "@/domain/artifacts";
import type { Build } from "@/lib/common/contract";
import type { Tensor } from "@/lib/common/tensor";
import { hexOf } from "@/lib/server/digest";
import { buckets } from "@/lib/server/storage";
import { scope } from "../support/domain";
import { answerRows, winners } from "../workers/answer-rows";
import { wholeBuilds } from "../workers/whole-builds";

// Networks of feature maps from their files to answers of a simulated board, beside those of their own library.

const fixtures = "tests/fixtures/models";

const builds = wholeBuilds();
const folder = mkdtempSync(join(tmpdir(), "bw-convolution-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const build = (
  file: string,
  name: string,
  { model, clockHz } = { model: "digits-cnn", clockHz: 36_000_000 },
): Promise<Build> =>
  builds.build({
    key: name,
    files: Object.fromEntries(
      [file, "card.json", "test.csv"].map((each) => [
        each,
        readFileSync(join(fixtures, model, each)),
      ]),
    ),
    name,
    engine: "boardwalk",
    board: { model: "icebreaker", kind: "simulated" },
    options: { clockHz },
  });

const answer = async ({ artifactDigest }: Build, input: Tensor): Promise<readonly number[]> => {
  const [output] = await answerRows(builds.stack, artifactDigest ?? "", [input]);
  return Array.from((output?.data ?? []) as Float32Array, Number);
};

describe.each([
  { model: "digits-cnn", clockHz: 36_000_000, cycles: 1800, cells: 2200, accuracy: 0.98, error: 1 },
  {
    model: "digits-attention",
    clockHz: 24_000_000,
    cycles: 12_000,
    cells: 3000,
    accuracy: 0.96,
    error: 0.5,
  },
])("$model on a simulated iCEBreaker", { timeout: 600_000 }, (wanted) => {
  const { model, clockHz } = wanted;
  it.each(["model.onnx", "model.keras"])("%s answers as its library does", async (file) => {
    const name = `${model}-${file.replace("model.", "")}`;
    const firmware = await build(file, name, { model, clockHz });
    expect(firmware.problem).toBeNull();
    const { proof, latencyCycles, achievedMhz, resources } = firmware.report ?? {};
    expect(proof).toMatchObject({ mismatches: 0, source: "held-back rows", rows: 450 });
    expect(proof?.vectors).toBeGreaterThan(500);
    expect(proof?.agreement).toBeGreaterThan(0.98);
    expect(proof?.accuracy).toBeGreaterThan(wanted.accuracy);
    expect(latencyCycles).toBeLessThan(wanted.cycles);
    expect((achievedMhz ?? 0) * 1e6).toBeGreaterThan(clockHz);
    expect(resources?.find(({ id }) => id === "lut")?.used).toBeLessThan(wanted.cells);

    const { inputs, outputs } = JSON.parse(
      readFileSync(join(fixtures, model, "reference.json"), "utf8"),
    ) as Record<"inputs" | "outputs", Record<string, { shape: number[]; data: number[] }>>;
    const { shape, data } = inputs["image"] ?? { shape: [], data: [] };
    const got = await answer(firmware, {
      name: "image",
      datatype: "FP32",
      shape,
      data: Float32Array.from(data),
    });
    const own = Object.values(outputs)[0]?.data ?? [];
    expect(winners(got, 10)).toEqual(winners(own, 10));
    const errors = own.map((value, at) => Math.abs(value - (got[at] ?? Number.NaN)));
    expect(Math.max(...errors)).toBeLessThan(wanted.error);
  });
});

/** The text of the core of a build without faults. */
async function wholeCore(): Promise<string> {
  const { artifactDigest } = await build("model.onnx", "digits-cnn-whole");
  const { manifest } = await getArtifact(scope, artifactDigest ?? "");
  const digest = manifest.files.find(({ role }) => role === "verilog")?.digest ?? "";
  const { stream } = await builds.stack.store.get(buckets.artifacts, hexOf(digest));
  return Buffer.concat(await stream.toArray()).toString("utf8");
}

describe("a core of digits-cnn with one fault", { timeout: 600_000 }, () => {
  let verilog = "";
  it.each([
    {
      what: "weight",
      line: /weights_0\[20\] = 16'h(....);/,
      node: "digits_cnn_1/conv2d_1_2/BiasAdd,",
    },
    {
      what: "shift",
      line: /constants\[1\] = 25'h(.......);/,
      node: "digits_cnn_1/conv2d_1/BiasAdd/requantize,",
    },
  ])("in a $what fails its build and names the node", async ({ what, line, node }) => {
    verilog ||= await wholeCore();
    const [from = "", digits = ""] = line.exec(verilog) ?? [];
    expect(from).not.toBe("");
    const bit = what === "weight" ? 4n : 1n << 21n;
    const wrong = (BigInt(`0x${digits}`) ^ bit).toString(16).padStart(digits.length, "0");
    const path = join(folder, `${what}.json`);
    const to = from.replace(digits, wrong);
    writeFileSync(path, JSON.stringify({ file: "core.v", from, to }));
    await builds.rebuildWith({ mutation: `file:${path}` });
    const { state, problem } = await build("model.onnx", `digits-cnn-${what}`);
    expect(state).toBe("failed");
    expect(problem?.reason).toBe("VERIFICATION_FAILED");
    expect(problem?.message).toContain(`first at node ${node}`);
  });
});
