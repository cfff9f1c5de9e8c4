import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { parseOnnx } from "@/compiler";
import { modelCardSchema } from "@/lib/common/contract";
import { readRows } from "@/lib/common/rows";
import { loadTreeSample } from "@/tests/support/compiler/tree-samples";
import { searchPrecision } from "./search-precision";

function start(
  folder: string,
  width: number,
  wanted: number,
  { rowsFrom = folder, ...options } = {} as { rowsFrom?: string; architecture?: string },
) {
  const read = (name: string) => readFileSync(join(folder, name));
  return searchPrecision({
    graph: parseOnnx(read("model.onnx")),
    card: modelCardSchema.parse(JSON.parse(read("card.json").toString())),
    calibration: null,
    tests: readRows(readFileSync(join(rowsFrom, "test.csv")), width, "test.csv").rows,
    board: getBoardModel("icebreaker"),
    options,
    wanted,
  });
}
const all = ({ tries }: ReturnType<typeof start>) => [...{ [Symbol.iterator]: () => tries }];

describe("search for the fewest bits", { timeout: 60_000 }, () => {
  it("goes down from the finest, one part after the other, as long as enough rows agree", () => {
    const search = start("public/samples/jets-small-mlp", 16, 0.97, { architecture: "array" });
    expect(search.measure).toBe("class");
    expect(search.floatAccuracy).toBeGreaterThan(0.8);
    const tries = all(search);
    expect(tries.length).toBeLessThanOrEqual(search.mostTries);
    expect(tries[0]).toMatchObject({ inputBits: 8, weightBits: [8], activationBits: 8 });
    for (const { agreement, holds } of tries) expect(holds).toBe(agreement >= 0.97);
    // What is kept is what held: no try takes up bits that failed before.
    const held = tries.filter(({ holds }) => holds);
    const bitsOf = (each: (typeof tries)[number]) =>
      each.inputBits + (each.weightBits[0] ?? 0) + each.activationBits;
    expect(held.map(bitsOf)).toEqual(held.map((_, at) => 24 - at));
    expect(held.length).toBeGreaterThan(2);
    expect(held.length).toBeLessThan(tries.length);
  });

  it("ends at once where not even the finest agrees often enough", () => {
    const tries = all(start("public/samples/jets-small-mlp", 16, 1, { architecture: "array" }));
    expect(tries).toHaveLength(1);
    expect(tries[0]).toMatchObject({ holds: false });
  });

  it("finds that fewer bits take fewer cells where every weight has adders", () => {
    const tries = all(start("public/samples/iris-mlp", 4, 0.9, { architecture: "unrolled" }));
    const held = tries.filter(({ holds }) => holds);
    expect(held.at(-1)?.cells).toBeLessThan((held[0]?.cells ?? 0) * 0.75);
    expect(tries[0]).toMatchObject({ architecture: "unrolled", fits: false });
    expect(held.at(-1)?.fits).toBe(true);
  });

  it("judges an autoencoder by its values, not by the digits its pictures show", () => {
    const rowsFrom = "public/samples/digits-mlp";
    const search = start("tests/fixtures/models/digits-autoencoder", 64, 0.95, { rowsFrom });
    expect(search).toMatchObject({ measure: "value", floatAccuracy: null });
  });

  it("looks for bits of convolutions, too", () => {
    const search = start("tests/fixtures/models/digits-cnn", 64, 0.95);
    expect(search.measure).toBe("class");
    expect(search.floatAccuracy).toBeGreaterThan(0.95);
    const tries = all(search);
    const held = tries.filter(({ holds }) => holds);
    expect(held[0]).toMatchObject({ architecture: "walk", fits: true, latencyCycles: 1735 });
    expect(held.at(-1)?.weightBits[0]).toBeLessThan(8);
    expect(held.at(-1)?.agreement).toBeGreaterThanOrEqual(0.95);
    expect(tries.some(({ holds }) => !holds)).toBe(true);
  });

  it("has nothing to look for in trees", () => {
    const { graph } = loadTreeSample("iris-xgboost/model.json");
    const { rows } = readRows(new TextEncoder().encode("1,2\n"), 2, "test.csv");
    const board = getBoardModel("icebreaker");
    expect(() =>
      searchPrecision({
        graph,
        card: null,
        calibration: null,
        tests: rows,
        board,
        options: {},
        wanted: 1,
      }),
    ).toThrow(expect.objectContaining({ reason: "COMBINATION_UNSUPPORTED" }));
  });
});
