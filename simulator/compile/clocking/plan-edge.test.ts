import { describe, expect, it } from "vitest";
import { loadSimulation } from "@/simulator/run";
import {
  bus,
  type HandCell,
  type HandModule,
  handNetlist,
} from "@/tests/simulator/support/hand-netlist";
import { buildDesign } from "../build-design";
import { Circuit } from "../circuit";
import { compileNetlist } from "../compile-netlist";
import { parseNetlist } from "../netlist";
import { planEdge } from "./plan-edge";
import { updateOf } from "./update";

const width = 16;
const inputs = { clk: [2], enable: [3], value: bus(4, width) };
const state = (stage: number, lane: number, lanes: number): number[] =>
  bus(100 + (stage * lanes + lane) * 2 * width, width);
const next = (stage: number, lane: number, lanes: number): number[] =>
  bus(100 + (stage * lanes + lane) * 2 * width + width, width);

/** Not what a register would take from the others, which it therefore must not keep. */
const initialOf = (stage: number, lane: number): number => (stage * 977 + lane * 31 + 5) & 0xffff;

/** Lanes that take the input under one enable, then stages that each add the lane before to every lane. */
function pipeline(stages: number, lanes: number, last: "plain" | "enabled" = "plain"): HandModule {
  const cells: Record<string, HandCell> = {};
  const nets: Record<string, { bits: number[]; init: string }> = {};
  const sum = { A_SIGNED: 0, B_SIGNED: 0, A_WIDTH: width, B_WIDTH: width, Y_WIDTH: width };
  for (let stage = 0; stage < stages; stage++) {
    for (let lane = 0; lane < lanes; lane++) {
      const q = state(stage, lane, lanes);
      const d = next(stage, lane, lanes);
      const init = initialOf(stage, lane).toString(2).padStart(width, "0");
      nets[`q_${stage}_${lane}`] = { bits: q, init };
      const isEnabled = stage === 0 || (last === "enabled" && stage === stages - 1);
      const A = stage === 0 ? inputs.value : state(stage - 1, lane, lanes);
      // The lanes of the first stage also take from each other, so that none may be stored before all are computed.
      const B = state(Math.max(0, stage - 1), (lane + 1) % lanes, lanes);
      cells[`sum_${stage}_${lane}`] = {
        type: "$add",
        parameters: sum,
        connections: { A, B, Y: d },
      };
      cells[`register_${stage}_${lane}`] = {
        type: isEnabled ? "$dffe" : "$dff",
        parameters: { WIDTH: width, CLK_POLARITY: 1, EN_POLARITY: 1 },
        connections: { CLK: [2], D: d, Q: q, ...(isEnabled && { EN: [3] }) },
      };
    }
  }
  return { inputs, outputs: { out: state(stages - 1, 0, lanes) }, cells, nets };
}

const planOf = (module: HandModule) =>
  planEdge(
    buildDesign(parseNetlist(handNetlist(module), "top"), { signals: [], clock: undefined }),
  );

/** Runs a pipeline beside a plain model of it, with pauses in which nothing is enabled. */
function expectEqualToModel(stages: number, lanes: number, last: "plain" | "enabled"): void {
  const { wasm } = compileNetlist(handNetlist(pipeline(stages, lanes, last)), { top: "top" });
  const simulation = loadSimulation(wasm);
  let model = Array.from({ length: stages }, (_, stage) =>
    Uint16Array.from({ length: lanes }, (__, lane) => initialOf(stage, lane)),
  );
  for (let cycle = 0; cycle < 40; cycle++) {
    const enable = cycle % 13 >= 10;
    const value = (cycle * 7919) & 0xffff;
    simulation.set("enable", enable ? 1 : 0);
    simulation.set("value", value);
    simulation.step();
    model = model.map((own, stage) => {
      const isEnabled = stage === 0 || (last === "enabled" && stage === stages - 1);
      if (isEnabled && !enable) return own;
      const before = model[Math.max(0, stage - 1)] ?? own;
      return own.map((_, lane) => {
        const first = stage === 0 ? value : (before[lane] ?? 0);
        return first + (before[(lane + 1) % lanes] ?? 0);
      });
    });
    expect([cycle, simulation.get("out")]).toEqual([cycle, model[stages - 1]?.[0]]);
  }
}

describe("the plan of a clock edge", () => {
  it("clocks the stages of a pipeline one after the other, and nothing while they rest", () => {
    const { always, blocks, registers } = planOf(pipeline(4, 8));
    expect(blocks.map(({ transfers }) => transfers.length)).toEqual([8, 8, 8, 8]);
    // One flag for each stage that another one follows, which is all that is left for every edge.
    expect(registers.length).toBe(4 * 8 + 3);
    expect(always.length).toBe(3);
    expect(blocks.map(({ isOrdered }) => isOrdered)).toEqual([true, true, true, false]);
  });

  it("stores late what a circle of stages and enables would have stored too early", () => {
    const { always, blocks, registers } = planOf(pipeline(4, 8, "enabled"));
    const flags = 2;
    expect(registers.length).toBe(4 * 8 + flags + 16);
    expect(always.length).toBe(flags);
    expect(blocks.map(({ transfers }) => transfers.length)).toEqual([16, 8, 8, 16]);
  });

  it("leaves a register that reads an input, and what follows it, to every edge", () => {
    const module = pipeline(3, 8);
    const cells = { ...module.cells };
    cells["register_0_3"] = {
      type: "$dff",
      parameters: { WIDTH: width, CLK_POLARITY: 1 },
      connections: { CLK: [2], D: next(0, 3, 8), Q: state(0, 3, 8) },
    };
    const { always, blocks } = planOf({ ...module, cells });
    expect(blocks.map(({ transfers }) => transfers.length)).toEqual([5, 6, 7]);
    const flags = 2;
    expect(always.length).toBe(1 + 2 + 3 + flags);
  });

  it("gates nothing where an asynchronous control may change a register between edges", () => {
    const module = pipeline(3, 8);
    const cells = { ...module.cells };
    cells["register_0_3"] = {
      type: "$adff",
      parameters: {
        WIDTH: width,
        CLK_POLARITY: 1,
        ARST_POLARITY: 1,
        ARST_VALUE: "0".repeat(width),
      },
      connections: { CLK: [2], D: next(0, 3, 8), Q: state(0, 3, 8), ARST: [3] },
    };
    expect(planOf({ ...module, cells }).blocks).toEqual([]);
  });

  it("leaves what reads a memory that is written to every edge, unlike what reads one that is not", () => {
    const circuit = new Circuit();
    const [write, address, word, constant] = [0, 1, 2, 3];
    const at = circuit.load(address, 4);
    const register = (slot: number, bits: number, next: ReturnType<Circuit["load"]>) => ({
      slot,
      width: bits,
      initial: 0n,
      next,
      held: undefined,
    });
    const memory = { width: 8, size: 16, depth: 16, initial: [] };
    const enable = circuit.load(write, 1);
    const padding = [4, 5, 6].map((slot) => register(slot, 4, circuit.not(at)));
    const { always, blocks } = planEdge({
      top: "top",
      clock: "clk",
      circuit,
      inputs: [{ name: "write", width: 1 }],
      outputs: [],
      signals: [],
      registers: [
        register(address, 4, circuit.mux(enable, circuit.not(at), at)),
        register(word, 8, circuit.read(0, at, 8)),
        register(constant, 8, circuit.read(1, at, 8)),
        ...padding,
      ],
      memories: [memory, memory],
      writes: [
        { memory: 0, enable, address: at, data: circuit.load(constant, 8), mask: undefined },
      ],
      cells: 0,
    });
    expect(always.map(({ slot }) => slot)).toContain(word);
    expect(blocks.flatMap(({ transfers }) => transfers.map(({ slot }) => slot))).toEqual(
      expect.arrayContaining([constant, 4, 5, 6]),
    );
  });

  it.each([
    { stages: 5, lanes: 6, last: "plain" },
    { stages: 5, lanes: 6, last: "enabled" },
    // A stage of more nodes than one function takes.
    { stages: 3, lanes: 2100, last: "plain" },
    { stages: 3, lanes: 2100, last: "enabled" },
  ] as const)(
    "$stages stages of $lanes lanes, the last one $last, count as a plain model",
    (made) => {
      expectEqualToModel(made.stages, made.lanes, made.last);
    },
  );
});

describe("the enable of a register", () => {
  const circuit = new Circuit();
  const [reset, enable] = [circuit.load(0, 1), circuit.load(1, 1)];
  const one = { own: circuit.load(2, 1), data: circuit.load(3, 1) };
  const wide = { own: circuit.load(2, 8), data: circuit.load(3, 8) };
  const enabled = ({ own, data }: typeof one) => circuit.mux(enable, data, own);
  const eitherOf = circuit.or(reset, enable);

  it("is the choice between new and old value, which then needs no old one", () => {
    expect(updateOf(circuit, enabled(wide), 2)).toEqual({ enable, value: wide.data });
    const low = circuit.mux(enable, wide.own, wide.data);
    expect(updateOf(circuit, low, 2)).toEqual({ enable: circuit.not(enable), value: wide.data });
  });

  it("takes a reset in, to 0 or 1, of one bit or more", () => {
    const zero = (bits: number) => circuit.constant(0n, bits);
    const ones = (bits: number) => circuit.constant(-1n, bits);
    for (const next of [
      circuit.mux(reset, zero(8), enabled(wide)),
      circuit.mux(reset, zero(1), enabled(one)),
      circuit.mux(reset, ones(1), enabled(one)),
    ]) {
      expect(updateOf(circuit, next, 2)).toEqual({ enable: eitherOf, value: next });
    }
  });

  it("is not there for a register that follows its input, or keeps another one's value", () => {
    expect(updateOf(circuit, wide.data, 2)).toBeUndefined();
    expect(updateOf(circuit, enabled(wide), 9)).toBeUndefined();
    expect(updateOf(circuit, circuit.and(one.own, one.data), 2)).toBeUndefined();
  });
});
