import { describe, expect, it } from "vitest";
import { attentionNet } from "@/tests/support/compiler/attention-net";
import { runLayers } from "../../model/maps/run-layers";
import { randomFrom } from "../../random";
import { mapModel } from "../../reader";
import { levelJoins } from "./level-joins";

describe("levelJoins", () => {
  it("raises what a table makes of small values beside large ones, and changes no answer", () => {
    const { layers, inputSize } = mapModel(attentionNet({ tokens: 4, width: 4, heads: 2 }));
    const random = randomFrom(2);
    const row = Float64Array.from({ length: inputSize }, () => random.uniform());
    const sum = layers.findIndex(({ name }) => name.endsWith("/sum"));
    const ranges = layers.map((_, place) => (place === sum ? 1.5 : 20));
    const levelled = levelJoins({ layers, ranges });
    expect(levelled.ranges[sum]).toBe(1.5 * 8);
    expect(levelled.ranges.toSpliced(sum, 1)).toEqual(ranges.toSpliced(sum, 1));
    const [before, after] = [layers, levelled.layers].map((each) => runLayers(each, row));
    expect(after?.[sum]).toEqual(before?.[sum]?.map((value) => 8 * value));
    const largest = Math.max(...(before?.at(-1) ?? []).map(Math.abs));
    for (const [at, value] of (before?.at(-1) ?? []).entries()) {
      expect(Math.abs(value - (after?.at(-1)?.[at] ?? Number.NaN)) / largest).toBeLessThan(1e-12);
    }
  });

  it("leaves a model alone that joins nothing", () => {
    const { layers } = mapModel(attentionNet({ tokens: 4, width: 4, heads: 2 }));
    const none = layers.filter(({ kind }) => kind !== "concat");
    expect(levelJoins({ layers: none, ranges: none.map(() => 1) }).layers).toEqual(none);
  });
});
