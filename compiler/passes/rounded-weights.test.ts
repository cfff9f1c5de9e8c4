import { describe, expect, it } from "vitest";
import { loadSample, sampleIds } from "@/tests/support/compiler/samples";
import { layersOf } from "../integer/layers";
import { lowerDense, standardiseNetwork } from "../lower/dense";
import { denseNetwork } from "../reader";
import { weightRounding } from "./rounded-weights";

describe("weights that are rounded before anybody gave rows", { timeout: 60_000 }, () => {
  it.each(sampleIds.flatMap((id) => [8, 6, 4].map((bits) => ({ id, bits }))))(
    "are nearly those that $id is built with at $bits bits",
    ({ id, bits }) => {
      const { graph, card, rows } = loadSample(id);
      const inputRange = card.inputRange ?? null;
      const values = rows.flatMap((row) => [...row]);
      const width = rows[0]?.length ?? 0;
      const { integerGraph } = lowerDense({
        graph,
        inputRange,
        calibration: { count: rows.length, width, values, source: "test.csv" },
        precision: { inputBits: 8, weightBits: [bits], activationBits: 8 },
      });
      const { layers, standardisation } = standardiseNetwork(denseNetwork(graph), inputRange, null);
      const found = weightRounding(layers, standardisation.rows)(bits).flat();
      const built = layersOf(integerGraph).flatMap(({ dense }) => dense.weights);
      expect(found).toHaveLength(built.length);
      const same = built.filter((weight, index) => weight === found[index]).length;
      expect(same / built.length).toBeGreaterThan(0.8);
    },
  );
});
