import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { randomGraph } from "@/tests/support/compiler/random-graph";
import { type DesignRequest, designCore } from "./design";

const { name, part } = getBoardModel("icebreaker");
const board = { name, family: part.family, part: part.resources };
const request = (graph: DesignRequest["graph"], rest: Partial<DesignRequest>): DesignRequest => ({
  graph,
  board,
  others: [],
  architecture: "auto",
  lanes: null,
  ...rest,
});

describe("a design with tables", () => {
  const graph = randomGraph([4, 4, 2], { seed: 3, relu: true, tables: "same" });

  it("is an array where that is asked for, with block RAM for the table", () => {
    const plain = designCore(
      request(randomGraph([4, 4, 2], { seed: 3, relu: true }), { architecture: "array" }),
    );
    const design = designCore(request(graph, { architecture: "array" }));
    expect(design.architecture).toBe("array");
    // 1,024 entries of 8 bits are two blocks of 4,096.
    expect(design.resources.bramBlocks).toBe(plain.resources.bramBlocks + 2);
    expect(design.taps.map(({ signal }) => signal)).toContain("tap_table");
  });

  it("is unrolled where that fits, with a table for each value", () => {
    const design = designCore(request(graph, {}));
    expect(design.architecture).toBe("unrolled");
    const tables = design.taps.filter(({ node }) =>
      graph.nodes.some(({ op, name: each }) => op === "table" && each === node),
    );
    expect(tables).toHaveLength(4);
  });
});

describe("lanes", () => {
  const graph = randomGraph([16, 64, 32, 32, 5], { seed: 3, relu: true });

  it.each([
    { id: "icebreaker", lanes: 16, dsp: 8, why: "two in each multiplier" },
    { id: "ulx3s-25f", lanes: 47, dsp: 28, why: "one in each multiplier, the others in cells" },
  ])("of $id are $lanes: $why", ({ id, lanes, dsp }) => {
    const { part: chosen } = getBoardModel(id);
    const design = designCore(
      request(graph, {
        board: { name: id, family: chosen.family, part: chosen.resources },
        architecture: "array",
      }),
    );
    expect(design.lanes).toBe(lanes);
    expect(design.resources.dsp).toBe(dsp);
  });

  it("beyond the multipliers are refused with the most there are", () => {
    expect(() => designCore(request(graph, { lanes: 17 }))).toThrow(
      expect.objectContaining({ reason: "OPTION_INVALID", hint: expect.stringContaining("16") }),
    );
  });
});
