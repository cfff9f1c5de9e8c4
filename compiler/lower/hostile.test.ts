import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isAppError } from "@/lib/common/errors";
import { randomTrees } from "@/tests/support/compiler/random-trees";
import { readTreeFile } from "@/tests/support/compiler/tree-samples";
import type { Attribute, Graph } from "../graph/graph";
import { randomFrom } from "../random";
import { lowerTrees } from "./trees";

const base = { seed: 3, trees: 9, depth: 3 };

describe("hostile tree ensembles", () => {
  const attempt = (make: () => Graph): "taken" | "refused" => {
    try {
      lowerTrees(make());
      return "taken";
    } catch (error) {
      if (!isAppError(error)) throw error;
      return "refused";
    }
  };

  it("with attributes of other types end in a refusal that is ours", () => {
    const names = Object.keys(randomTrees(base).nodes[0]?.attributes ?? {});
    const values: Attribute[] = [1e15, -1, "x", [], ["a"], [1.5], [Number.NaN], [2 ** 40]];
    for (const name of [...names, "base_values", "nodes_values_as_tensor"]) {
      for (const value of values) {
        for (const labels of [undefined, [0, 1, 2]]) {
          const request = { ...base, ...(labels ? { labels, scores: 3 } : {}) };
          attempt(() => randomTrees({ ...request, attributes: { [name]: value } }));
        }
      }
    }
  });

  it.each(["breast-cancer-xgboost", "wine-sklearn-forest"])("as damaged files: %s", (id) => {
    const bytes = new Uint8Array(readFileSync(`tests/fixtures/models/${id}/model.onnx`));
    const random = randomFrom(7);
    const counts = { taken: 0, refused: 0 };
    for (let run = 0; run < 150; run++) {
      const damaged = bytes.slice();
      for (let flips = random.integer(1, 4); flips > 0; flips--) {
        damaged[random.integer(0, damaged.length - 1)] = random.integer(0, 255);
      }
      counts[attempt(() => readTreeFile("model.onnx", damaged))]++;
    }
    expect(counts.refused).toBeGreaterThan(5);
    expect(counts.taken).toBeGreaterThan(5);
  });

  it("of claimed sizes allocate nothing by the claim", () => {
    const graph = randomTrees(base);
    const wide = {
      ...graph,
      inputs: [{ name: "features", datatype: "FP32", shape: [-1, 2 ** 40] }],
    };
    expect(attempt(() => wide as Graph)).toBe("refused");
  });

  it.each([25, 100_000])("with a chain of %i branches end at once", (count) => {
    const list = (make: (id: number) => number) =>
      Array.from({ length: 2 * count + 1 }, (_, id) => make(id));
    const attributes = {
      nodes_treeids: list(() => 0),
      nodes_nodeids: list((id) => id),
      nodes_featureids: list(() => 0),
      nodes_values: list(() => 1),
      nodes_modes: Array.from({ length: 2 * count + 1 }, (_, id) =>
        id < count ? "BRANCH_LT" : "LEAF",
      ),
      nodes_truenodeids: list((id) => (id < count ? id + 1 : 0)),
      nodes_falsenodeids: list((id) => (id < count ? count + 1 + id : 0)),
      nodes_missing_value_tracks_true: [],
      target_treeids: [0],
      target_nodeids: [count],
      target_ids: [0],
      target_weights: [1],
    };
    expect(() => lowerTrees(randomTrees({ ...base, attributes }))).toThrow(
      `${count} levels deep; FPGA boards take 24`,
    );
  });
});
