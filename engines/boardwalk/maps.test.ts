import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { countClipped, type Graph, parseOnnx, runIntegerGraph } from "@/compiler";
import { modelCardSchema } from "@/lib/common/contract";
import { boundsOf } from "@/lib/common/fixed-point";
import { integerGraphOf } from "@/tests/support/compiler/integer-graph-of";
import { imageNet } from "@/tests/support/compiler/map-graph";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { boardwalkEngine as engine } from ".";

const folder = "tests/fixtures/models/digits-cnn";
const card = modelCardSchema.parse(JSON.parse(readFileSync(join(folder, "card.json"), "utf8")));
const digits = parseOnnx(new Uint8Array(readFileSync(join(folder, "model.onnx"))));

function plan(board: string, graph: Graph = digits, options: Record<string, unknown> = {}) {
  const request = planRequest("iris-mlp", board, { card: graph === digits ? card : null, options });
  return engine.plan({ ...request, model: { ...request.model, graph } });
}

describe("plans of convolutional networks", { timeout: 60_000 }, () => {
  it.each([
    { board: "icebreaker", lanes: 8, cycles: 1800 },
    { board: "ice40-hx8k-evn", lanes: 16, cycles: 1100 },
    { board: "ulx3s-25f", lanes: 16, cycles: 1100 },
    { board: "tang-primer-20k", lanes: 16, cycles: 1100 },
  ])("digits-cnn takes $lanes lanes and at most $cycles cycles on $board", (wanted) => {
    const planned = plan(wanted.board);
    const { forecast, core } = planned;
    expect(forecast.lanes).toBe(wanted.lanes);
    expect(forecast.latencyCycles).toBeLessThanOrEqual(wanted.cycles);
    expect(core).toMatchObject({ inputBytes: 64, outputBytes: 20 });
    expect(integerGraphOf(planned).nodes.map(({ op }) => op)).toEqual([
      ...["convolution", "requantize", "convolution", "requantize", "max-pool"],
      ...["convolution", "requantize", "convolution", "requantize"],
    ]);
  });

  it("are the same for the same request, byte for byte", () => {
    expect(plan("icebreaker").digest).toBe(plan("icebreaker").digest);
  });

  it("keep the shape of images at the edge, and one scale for all pixels", () => {
    const [input] = plan("icebreaker").io.inputs;
    expect(input).toMatchObject({ name: "image", shape: [-1, 8, 8, 1], size: 64 });
    expect(new Set(input?.standardise?.deviation).size).toBe(1);
  });

  it("hold the cycles of the sizing tables on 8 lanes of an iCEBreaker", () => {
    expect(plan("icebreaker", imageNet([4, 8])).forecast.latencyCycles).toBeLessThanOrEqual(8_300);
    const wide = plan("icebreaker", imageNet([8, 16])).forecast;
    expect(wide.latencyCycles).toBeLessThanOrEqual(25_300);
    for (const { used, available } of wide.resources) expect(used).toBeLessThanOrEqual(available);
  });

  it("count as clipped what met the edge of its grid, and nothing else", () => {
    const planned = plan("icebreaker", imageNet([8, 16]));
    const { vectors } = planned;
    const reference = integerGraphOf(planned);
    for (const row of vectors.slice(0, 20)) {
      const run = runIntegerGraph(reference, row);
      for (const { node: name, clipped } of countClipped(reference, run)) {
        const node = reference.nodes.find((each) => each.name === name);
        if (node?.op !== "requantize") throw new TypeError(`${name} clamps nothing`);
        const { max } = boundsOf(node);
        const atEdge = run.nodes.get(name)?.filter((value) => value === max).length ?? 0;
        expect(clipped, name).toBeLessThanOrEqual(atEdge);
      }
    }
  });

  it("say what is lacking and which board is large enough", () => {
    expect(() => plan("icestick")).toThrow(
      expect.objectContaining({
        reason: "MODEL_TOO_LARGE",
        message: expect.stringMatching(/needs about \d+ logic cells of \d+ usable on iCEstick/),
        hint: expect.stringContaining("is large enough"),
      }),
    );
  });

  it("refuse what the array cannot be", () => {
    const invalid = expect.objectContaining({ reason: "OPTION_INVALID" });
    expect(() => plan("icebreaker", digits, { architecture: "unrolled" })).toThrow(invalid);
    const { dsp } = getBoardModel("icebreaker").part.resources;
    expect(() => plan("icebreaker", digits, { lanes: dsp + 1 })).toThrow(invalid);
  });
});
