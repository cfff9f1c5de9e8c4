import { describe, expect, it } from "vitest";
import { compileNetlist } from "@/simulator/compile";
import { loadSimulation } from "@/simulator/run";
import { bus, type HandCell, handNetlist } from "./support/hand-netlist";
import { createRandom } from "./support/random";

const pairs = 50_000;
const width = 16;

/** A ring of registers, each taking the sum, difference or exclusive or of two others: 100,000 cells. */
function ring() {
  const random = createRandom(3);
  const cells: Record<string, HandCell> = {};
  const nets: Record<string, { bits: number[]; init: string }> = {};
  const q = (index: number): number[] => bus(10 + index * 2 * width, width);
  const d = (index: number): number[] => bus(10 + (index * 2 + 1) * width, width);
  const sources: { type: string; a: number; b: number; initial: number }[] = [];
  for (let index = 0; index < pairs; index++) {
    const source = {
      type: random.pick(["$add", "$sub", "$xor"]),
      a: random.below(pairs),
      b: random.below(pairs),
      initial: random.below(2 ** width),
    };
    sources.push(source);
    cells[`c${index}`] = {
      type: source.type,
      parameters: { A_SIGNED: 0, B_SIGNED: 0, A_WIDTH: width, B_WIDTH: width, Y_WIDTH: width },
      connections: { A: q(source.a), B: q(source.b), Y: d(index) },
    };
    cells[`r${index}`] = {
      type: "$dff",
      parameters: { WIDTH: width, CLK_POLARITY: "1" },
      connections: { CLK: [2], D: d(index), Q: q(index) },
    };
    nets[`n${index}`] = { bits: q(index), init: source.initial.toString(2).padStart(width, "0") };
  }
  return { sources, netlist: handNetlist({ inputs: { clk: [2] }, cells, nets }) };
}

describe("a design of 100,000 cells", () => {
  it("compiles and equals a plain model after 20 cycles", () => {
    const { sources, netlist } = ring();
    const signals = Array.from({ length: 200 }, (_, index) => `n${index * 250}`);
    const started = performance.now();
    const { wasm, cells } = compileNetlist(netlist, { top: "top", signals });
    const simulation = loadSimulation(wasm);
    console.log(
      `100,000 cells: ${(performance.now() - started).toFixed(0)} ms, ${wasm.length} bytes`,
    );
    expect(cells).toBe(2 * pairs);

    let state = Uint16Array.from(sources, (source) => source.initial);
    for (let cycle = 0; cycle < 20; cycle++) {
      state = Uint16Array.from(sources, ({ type, a, b }) => {
        const [x, y] = [state[a] ?? 0, state[b] ?? 0];
        return type === "$add" ? x + y : type === "$sub" ? x - y : x ^ y;
      });
    }
    simulation.step(20);
    expect(signals.map((name) => simulation.get(name))).toEqual(
      signals.map((name) => state[Number(name.slice(1))]),
    );
  });
});
