import { describe, expect, it } from "vitest";
import { getBoardModel, getFamily } from "@/boards";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { boardwalkEngine as engine } from "../boardwalk";
import type { Plan, Products } from "../engine";
import { type PlacedCell, placedCells } from "./placed-cells";
import { placementOf, sectionUses } from "./placement";

type Cell = readonly [
  name: string,
  type: string,
  bel: string | null,
  nets?: Readonly<Record<string, readonly (number | string)[]>>,
];

/** What nextpnr writes of some cells; names, types and places are of recorded builds. */
function productsOf(cells: readonly Cell[]): Products {
  const entries = cells.map(([name, type, bel, connections = {}]) => [
    name,
    { type, attributes: bel === null ? {} : { NEXTPNR_BEL: bel }, connections },
  ]);
  const netlist = JSON.stringify({ modules: { top: { cells: Object.fromEntries(entries) } } });
  return { variant: null, text: (path) => (path === "placed.json" ? netlist : null) };
}

const read = (plan: Plan, products: Products): PlacedCell[] =>
  placedCells(plan, products, getFamily(getBoardModel(plan.boardModel).part));
const placed = (plan: Plan, cells: readonly Cell[]): PlacedCell[] => read(plan, productsOf(cells));

const array = engine.plan(planRequest("digits-mlp", "icebreaker"));
const unrolled = engine.plan(planRequest("iris-mlp", "ulx3s-25f"));
const gowin = engine.plan(planRequest("digits-mlp", "tang-nano-9k"));

const up5k: readonly Cell[] = [
  ["shell.core.drain_4_SB_DFF_Q_18_D_SB_LUT4_O_LC", "ICESTORM_LC", "X1/Y6/lc5"],
  ["shell.core.accumulator_4_SB_DFFSR_Q_D_SB_LUT4_O_LC", "ICESTORM_LC", "X1/Y6/lc6"],
  ["shell.core.sum_7_SB_MAC16_O_DSP", "ICESTORM_DSP", "X0/Y23/mac16_0"],
  ["shell.core.weights_1.0.1_RAM", "ICESTORM_RAM", "X6/Y11/ram"],
  ["shell.identity_byte_SB_DFF_Q_D_SB_LUT4_O_LC", "ICESTORM_LC", "X14/Y14/lc6"],
  ["$gbuf_shell.core.clear_$glb_sr", "SB_GB", "X19/Y31/gb"],
  ["clock$sb_io", "SB_IO", "X12/Y31/io1"],
];

describe("the sections of a placed design", () => {
  it("are modules of the shell and parts of the array, each with what it takes", () => {
    expect(sectionUses(array, placed(array, up5k))).toEqual([
      {
        id: "core-lanes",
        name: "Multiply-accumulate lanes",
        group: "core",
        uses: { lut: 2, dsp: 1 },
      },
      { id: "core-weights", name: "Weights", group: "core", uses: { bram: 1 } },
      { id: "core", name: "Control of the core", group: "core", uses: {} },
      { id: "identity", name: "Identity", group: "shell", uses: { lut: 1 } },
      { id: "board", name: "Clock, reset and pins", group: "board", uses: { io: 1 } },
    ]);
  });

  it("are layers where every weight has adders of its own", () => {
    const named = unrolled.sections?.filter(({ upTo }) => upTo !== undefined) ?? [];
    const lastOfFirst = named[0]?.upTo ?? 0;
    const uses = sectionUses(
      unrolled,
      placed(unrolled, [
        [`shell.core.net.s${lastOfFirst}_CCU2C_S0$CCU2_COMB0`, "TRELLIS_COMB", "X3/Y29/SLICEB.K0"],
        [`shell.core.net.s${lastOfFirst + 1}_1_TRELLIS_FF_Q_4`, "TRELLIS_FF", "X22/Y22/SLICEC.FF0"],
        ["shell.core.net.x2_1_TRELLIS_FF_Q", "TRELLIS_FF", "X22/Y22/SLICEC.FF1"],
      ]),
    );
    expect(uses.map(({ name, uses }) => [name, uses])).toEqual([
      ["iris_mlp_1/dense_1/MatMul", { lut: 1, ff: 1 }],
      ["iris_mlp_1/dense_1_2/MatMul", { ff: 1 }],
    ]);
  });

  it("take in the carry cells that the placer made up, by the nets they share", () => {
    // As recorded: the second cell leads a carry into the first's chain, and its other input is a constant of thousands.
    const many = Array.from(
      { length: 20 },
      (_, index): Cell => [
        `shell.sender.bits_${index}`,
        "TRELLIS_COMB",
        "X9/Y9/SLICEA.K0",
        { A: [48809] },
      ],
    );
    const uses = sectionUses(
      unrolled,
      placed(unrolled, [
        [
          "shell.core.net.s3_CCU2C_S0_7$CCU2_COMB0",
          "TRELLIS_COMB",
          "X34/Y35/SLICEB.K0",
          { FCI: [50183] },
        ],
        [
          "$nextpnr_CCU2C_652$CCU2_COMB1",
          "TRELLIS_COMB",
          "X34/Y35/SLICEA.K1",
          { FCO: [50183], FCI: [57504] },
        ],
        [
          "$nextpnr_CCU2C_652$CCU2_COMB0",
          "TRELLIS_COMB",
          "X34/Y35/SLICEA.K0",
          { FCO: [57504], A: [48809] },
        ],
        ...many,
      ]),
    );
    expect(uses.map(({ id, uses }) => [id, uses["lut"]])).toEqual([
      ["core-layer-0", 3],
      ["line", 20],
    ]);
  });

  it("count Gowin's many cell types to the resources of the report", () => {
    const uses = sectionUses(
      gowin,
      placed(gowin, [
        ["shell.core.drain_6_DFF_Q_7_D_LUT3_F", "LUT3", "X16Y7/LUT2"],
        ["shell.core.drain_15_DFFR_Q_8", "DFFR", "X22Y6/DFF2"],
        ["shell.core.weights_7.0.0", "SP", "X22Y9/BSRAM"],
        ["shell.core.results.0.0", "DP", "X7Y9/BSRAM"],
        ["led1_OBUF_O", "OBUF", "X0Y15/IOBB"],
      ]),
    );
    expect(Object.fromEntries(uses.map(({ id, uses }) => [id, uses]))).toEqual({
      "core-lanes": { lut: 1, ff: 1 },
      "core-weights": { bram: 1 },
      "core-answer": { bram: 1 },
      board: { io: 1 },
    });
  });
});

function drawn(plan: Plan, cells: readonly Cell[]) {
  const picture = placementOf(plan, placed(plan, cells));
  if (!picture) throw new Error("the part has no picture");
  return picture;
}

describe("the placement", () => {
  it("counts cells by tile, section and kind on the whole chip", () => {
    const { columns, rows, sections, tiles } = drawn(array, up5k);
    expect([columns, rows]).toEqual([26, 32]);
    const ids = sections.map(({ id }) => id);
    const [lanes, core] = [ids.indexOf("core-lanes"), ids.indexOf("core")];
    // Tiles in order: the multiplier of the lanes, then two cells of theirs in one tile.
    expect(tiles.slice(0, 10)).toEqual([0, 23, lanes, 2, 1, 1, 6, lanes, 0, 2]);
    expect(tiles.slice(-5)).toEqual([19, 31, core, 4, 1]);
  });

  it("reads places of every family, and leaves out what has none", () => {
    const { tiles } = drawn(gowin, [
      ["a", "LUT3", "X16Y7/LUT2"],
      ["b", "LUT3", null],
    ]);
    expect(tiles.slice(0, 2)).toEqual([16, 7]);
    expect(tiles).toHaveLength(5);
  });

  it.each([
    { text: null, reason: "OUTPUT_MISSING" },
    { text: "{", reason: "OUTPUT_INVALID" },
    { text: '{"modules":{}}', reason: "OUTPUT_INVALID" },
  ])("names a netlist that is missing or damaged: $text", ({ text, reason }) => {
    expect(() => read(array, { variant: null, text: () => text })).toThrow(
      expect.objectContaining({ reason }),
    );
  });
});
