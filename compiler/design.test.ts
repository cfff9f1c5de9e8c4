import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { randomGraph } from "@/tests/support/compiler/random-graph";
import { any, architectures } from "./architectures";
import type { Architecture } from "./architectures/architecture";
import { timelineOf } from "./architectures/timeline";
import { type DesignRequest, designCore, estimateDesign } from "./design";
import type { IntegerGraph } from "./integer/integer-graph";
import { lackingOf } from "./target/lacking";
import { targetOf } from "./target/part";

const board = targetOf(getBoardModel("icebreaker"));
/** An architecture for nets of two inputs, which stands for any that may come: its core is not real. */
const lookup: Architecture<IntegerGraph> = {
  id: "lookup",
  takes: ({ input }) => input.size <= 2,
  isAskedBy: ({ architecture }) => architecture === "auto",
  check: () => undefined,
  outline: ({ graph }) => ({ inputs: graph.input.size }),
  layOut: ({ graph, target }) =>
    target.part.bramBlocks >= 16
      ? {
          fits: true,
          layout: graph,
          resources: { lut: 40, flipFlops: 20, bramBlocks: 16, dsp: 0 },
          latencyCycles: 2,
          lanes: null,
          ownMultipliers: false,
        }
      : {
          fits: false,
          lack: "needs 16 block RAMs",
          lacking: [lackingOf("bram", 16, target.part.bramBlocks)],
        },
  smaller: () => null,
  emit: (graph) => ({
    graph,
    verilog: "module core; endmodule",
    taps: [],
    sections: [],
    timeline: timelineOf({ graph, layers: [], latencyCycles: 2 }),
    note: "All answers are looked up.",
  }),
};

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
    const design = designCore(
      request(graph, {
        board: targetOf(getBoardModel(id)),
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

describe("a further architecture", () => {
  const ways = [any(lookup), ...architectures];
  const small = randomGraph([2, 4, 2], { seed: 3, relu: true });

  it("is built where it stands first and fits, with what it says of itself", () => {
    const design = designCore(request(small, { ways }));
    expect(design).toMatchObject({
      architecture: "lookup",
      verilog: "module core; endmodule",
      resources: { bramBlocks: 16 },
      latencyCycles: 2,
      note: "All answers are looked up.",
    });
    expect(estimateDesign(request(small, { ways }))).toMatchObject({
      architecture: "lookup",
      bramBlocks: 16,
      fits: true,
    });
  });

  it("gives way where it is too large, and the note says by how much", () => {
    const tight = { ...board, part: { ...board.part, bramBlocks: 15 } };
    const design = designCore(request(small, { ways, board: tight }));
    expect(design.architecture).toBe("unrolled");
    expect(design.note).toContain("Otherwise it needs 16 block RAMs.");
  });

  it("is not asked about graphs that it does not take, nor where another is wished for", () => {
    const wide = randomGraph([4, 4, 2], { seed: 3, relu: true });
    expect(designCore(request(wide, { ways })).architecture).toBe("unrolled");
    const wished = request(small, { ways, architecture: "array" });
    expect(designCore(wished).architecture).toBe("array");
  });
});
