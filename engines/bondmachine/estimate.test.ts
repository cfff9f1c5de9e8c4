import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { shellCells } from "@/compiler/forecast";
import type { NumberTypeId } from "../reference/number-type";
import { estimateMachine } from "./estimate";
import type { LayerSizes, MachineSizes } from "./sizes";

// Sizes of real machines without shell and wrapper, as Yosys 0.55 mapped them to iCE40; another part has multipliers enough.
const board = getBoardModel("zedboard");
const layer = (processors: number, widest: number): LayerSizes => ({
  ...{ processors, relu: false, connections: processors * widest, widest },
});
const banknote = [layer(1, 4), layer(2, 1)];
const softmax = { ...layer(2, 2), softmaxTerms: 5 };
const recorded = [
  { form: "direct", type: "fps16f8", layers: banknote, lut: 500, ff: 323, dsp: 3, cycles: 34 },
  {
    form: "direct",
    type: "float32",
    layers: banknote,
    lut: 3_954,
    ff: 2_534,
    dsp: 12,
    cycles: 200,
  },
  { form: "split", type: "fps16f8", layers: banknote, lut: 997, ff: 986, dsp: 8, cycles: 51 },
  { form: "split", type: "float32", layers: banknote, lut: 6_856, ff: 5_533, dsp: 32, cycles: 207 },
  {
    form: "split",
    type: "float32",
    layers: [...banknote, softmax],
    lut: 14_783,
    ff: 10_571,
    dsp: 56,
    cycles: 2_424,
  },
] satisfies readonly (Omit<MachineSizes, "inputs" | "outputs"> & {
  readonly type: NumberTypeId;
  readonly lut: number;
  readonly ff: number;
  readonly dsp: number;
  readonly cycles: number;
})[];

describe("the estimate of a machine", () => {
  it.each(recorded)("is near 4-1-2 by $form in $type: $lut cells, $cycles cycles", (machine) => {
    const { form, type, layers, lut, ff, dsp, cycles } = machine;
    const sizes: MachineSizes = { form, inputs: 4, outputs: 2, layers };
    const estimate = estimateMachine(sizes, type, board);
    const held = 6 * (type === "float32" ? 32 : 16);
    const own = {
      lut: estimate.lut - shellCells.lut - 130 - held / 2,
      ff: estimate.ff - shellCells.flipFlops - 110 - held,
    };
    expect(Math.abs(own.lut / lut - 1)).toBeLessThan(0.03);
    expect(Math.abs(own.ff / ff - 1)).toBeLessThan(0.1);
    expect(estimate.dsp).toBe(dsp);
    expect(Math.abs(estimate.latencyCycles / cycles - 1)).toBeLessThan(0.25);
    expect(estimate.mostCycles).toBeGreaterThan(1.2 * cycles);
  });

  it("grows with each term and each score of a softmax", () => {
    const of = (terms: number, scores: number) =>
      estimateMachine(
        {
          ...{ form: "fused", inputs: 4, outputs: scores },
          layers: [layer(scores, 4), { ...layer(scores, scores), softmaxTerms: terms }],
        },
        "float32",
        board,
      );
    expect(of(10, 2).latencyCycles - of(5, 2).latencyCycles).toBe(5 * 2 * 180);
    expect(of(10, 2).lut).toBe(of(5, 2).lut);
    expect(of(5, 3).lut).toBeGreaterThan(1.4 * of(5, 2).lut);
  });
});
