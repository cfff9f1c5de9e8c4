import { describe, expect, it } from "vitest";
import { loadSimulation } from "@/simulator/run";
import { bus, type HandModule, handNetlist } from "@/tests/simulator/support/hand-netlist";
import { createRandom } from "@/tests/simulator/support/random";
import { compileNetlist } from "./compile-netlist";

const compile = (module: HandModule, options: { signals?: string[]; clock?: string } = {}) =>
  compileNetlist(handNetlist(module), { top: "top", ...options });
const simulate = (module: HandModule, options: { signals?: string[] } = {}) =>
  loadSimulation(compile(module, options).wasm);

const binary = (
  type: string,
  [a, b, y]: readonly (readonly (number | string)[])[],
  signed = false,
) => ({
  type,
  parameters: {
    A_SIGNED: signed ? 1 : 0,
    B_SIGNED: signed ? 1 : 0,
    A_WIDTH: a?.length ?? 0,
    B_WIDTH: b?.length ?? 0,
    Y_WIDTH: y?.length ?? 0,
  },
  connections: { A: a ?? [], B: b ?? [], Y: y ?? [] },
});

const flipFlop = (clk: number | string, d: (number | string)[], q: number[], rising = "1") => ({
  type: "$dff",
  parameters: { WIDTH: q.length, CLK_POLARITY: rising },
  connections: { CLK: [clk], D: d, Q: q },
});

/** An 8-bit counter that starts at 250 and also shows its value plus one. */
const counter: HandModule = {
  inputs: { clk: [2] },
  outputs: { count: bus(10, 8), next: bus(20, 8) },
  cells: {
    increment: binary("$add", [bus(10, 8), ["1"], bus(20, 8)]),
    register: flipFlop(2, bus(20, 8), bus(10, 8)),
  },
  nets: { start: { bits: bus(10, 8), init: "11111010" }, top_bits: { bits: [16, 17] } },
};

describe("a compiled netlist", () => {
  it("counts clock cycles from its initial value and wraps", () => {
    const simulation = simulate(counter);
    expect([simulation.get("count"), simulation.get("next")]).toEqual([250, 251]);
    simulation.step(7);
    expect([simulation.get("count"), simulation.get("next")]).toEqual([1, 2]);
    simulation.reset();
    expect([simulation.get("count"), simulation.get("next")]).toEqual([250, 251]);
  });

  it("steps until a value is non-zero, or while it is, and no further than told", () => {
    const simulation = simulate(counter);
    expect(simulation.stepWhile("count", 100)).toBe(6);
    expect(simulation.get("count")).toBe(0);
    expect(simulation.stepUntil("count", 100)).toBe(1);
    expect(simulation.stepUntil("count", 100)).toBe(0);
    expect(simulation.stepWhile("count", 10)).toBe(10);
    expect(simulation.get("count")).toBe(11);
  });

  it("keeps the signals asked for visible", () => {
    const simulation = simulate(counter, { signals: ["top_bits"] });
    expect(simulation.get("top_bits")).toBe(3);
    simulation.step(6);
    expect(simulation.get("top_bits")).toBe(0);
  });

  it("describes itself and gives equal bytes for equal netlists", () => {
    const { wasm, interface: description, cells } = compile(counter);
    expect(cells).toBe(2);
    expect(description).toMatchObject({ schemaVersion: 1, top: "top", clock: "clk", cells: 2 });
    expect(description.ports.map((port) => [port.name, port.direction, port.width])).toEqual([
      ["clk", "in", 1],
      ["count", "out", 8],
      ["next", "out", 8],
    ]);
    expect(WebAssembly.Module.imports(new WebAssembly.Module(new Uint8Array(wasm)))).toEqual([]);
    expect(compile(counter).wasm).toEqual(wasm);
  });

  it("reads netlists from text as well", () => {
    const text = JSON.stringify(handNetlist(counter));
    expect(compileNetlist(text, { top: "top" }).wasm).toEqual(compile(counter).wasm);
  });

  it("takes undriven and unknown bits as 0", () => {
    const simulation = simulate({
      outputs: { open: [5], unknown: ["x", "1", "z"] },
    });
    expect([simulation.get("open"), simulation.get("unknown")]).toEqual([0, 2]);
  });

  it("ignores cells that only watch the design", () => {
    const check = { type: "$check", connections: { A: [2], EN: [2], ARGS: [], TRG: [] } };
    const scope = { type: "$scopeinfo", connections: {} };
    const { cells } = compile({ ...counter, cells: { ...counter.cells, check, scope } });
    expect(cells).toBe(2);
  });

  it("holds what an asynchronous load brought, without a clock edge", () => {
    const simulation = simulate({
      inputs: { clk: [2], load: [3], value: bus(4, 8) },
      outputs: { q: bus(20, 8) },
      cells: {
        register: {
          type: "$aldff",
          parameters: { WIDTH: 8, CLK_POLARITY: "1", ALOAD_POLARITY: "1" },
          connections: {
            CLK: [2],
            ALOAD: [3],
            AD: bus(4, 8),
            D: Array(8).fill("0"),
            Q: bus(20, 8),
          },
        },
      },
    });
    simulation.set("value", 77);
    simulation.set("load", 1);
    simulation.eval();
    expect(simulation.get("q")).toBe(77);
    simulation.set("load", 0);
    simulation.set("value", 12);
    simulation.eval();
    expect(simulation.get("q")).toBe(77);
    simulation.step();
    expect(simulation.get("q")).toBe(0);
  });

  it.each([
    { base: 1n, exponent: -2n, result: 1n },
    { base: -1n, exponent: -3n, result: -1n },
    { base: -1n, exponent: -4n, result: 1n },
    { base: 2n, exponent: -1n, result: 0n },
    { base: -7n, exponent: -2n, result: 0n },
    { base: -3n, exponent: 3n, result: -27n },
    { base: 0n, exponent: 0n, result: 1n },
  ])("raises $base to $exponent as IEEE 1800 table 11-4", ({ base, exponent, result }) => {
    const simulation = simulate({
      inputs: { a: bus(100, 40), b: bus(200, 40) },
      outputs: { y: bus(300, 40) },
      cells: { power: binary("$pow", [bus(100, 40), bus(200, 40), bus(300, 40)], true) },
    });
    simulation.set("a", base);
    simulation.set("b", exponent);
    simulation.eval();
    expect(BigInt.asIntN(40, simulation.getBig("y"))).toBe(result);
  });

  it.each(["$div", "$mod", "$divfloor", "$modfloor"])("%s by zero is 0", (type) => {
    for (const signed of [false, true]) {
      const simulation = simulate({
        inputs: { a: bus(100, 64), b: bus(200, 64) },
        outputs: { y: bus(300, 64) },
        cells: { divide: binary(type, [bus(100, 64), bus(200, 64), bus(300, 64)], signed) },
      });
      simulation.set("a", -1n << 63n);
      simulation.eval();
      expect(simulation.getBig("y")).toBe(0n);
      simulation.set("b", -1n);
      simulation.eval();
      const lowest = 1n << 63n;
      const isQuotient = type.startsWith("$div");
      // Signed, −2⁶³ / −1 wraps; unsigned, the divisor is larger.
      expect(simulation.getBig("y")).toBe(signed === isQuotient ? lowest : 0n);
    }
  });

  it.each([
    { type: "$div", signed: false },
    { type: "$mod", signed: false },
    { type: "$div", signed: true },
    { type: "$mod", signed: true },
    { type: "$divfloor", signed: true },
    { type: "$modfloor", signed: true },
  ])("$type of 100 bits, signed $signed, equals big integers", ({ type, signed }) => {
    const simulation = simulate({
      inputs: { al: bus(100, 64), ah: bus(164, 36), bl: bus(300, 64), bh: bus(364, 36) },
      outputs: { yl: bus(500, 64), yh: bus(564, 36) },
      cells: { divide: binary(type, [bus(100, 100), bus(300, 100), bus(500, 100)], signed) },
    });
    const random = createRandom(7);
    for (let round = 0; round < 100; round++) {
      const [a, b] = [random.value(100), random.pick([random.value(100), random.value(20)])];
      simulation.set("al", a);
      simulation.set("ah", a >> 64n);
      simulation.set("bl", b);
      simulation.set("bh", b >> 64n);
      simulation.eval();
      const result = simulation.getBig("yl") | (simulation.getBig("yh") << 64n);
      const read = (value: bigint): bigint => (signed ? BigInt.asIntN(100, value) : value);
      expect(result).toBe(BigInt.asUintN(100, divided(type, read(a), read(b))));
    }
  });

  const divided = (type: string, a: bigint, b: bigint): bigint => {
    if (b === 0n) return 0n;
    const down = a % b !== 0n && a % b < 0n !== b < 0n;
    if (type === "$div") return a / b;
    if (type === "$mod") return a % b;
    if (type === "$divfloor") return a / b - (down ? 1n : 0n);
    return (a % b) + (down ? b : 0n);
  };
});

describe("words that wait for their own bits", () => {
  /** carry = generate | (propagate & {carry, in}), written on vectors. */
  const chain: HandModule = {
    inputs: { a: bus(100, 8), b: bus(120, 8), in: [140] },
    outputs: { carry: bus(200, 8) },
    cells: {
      generate: binary("$and", [bus(100, 8), bus(120, 8), bus(300, 8)]),
      propagate: binary("$xor", [bus(100, 8), bus(120, 8), bus(320, 8)]),
      ripple: binary("$and", [bus(320, 8), [140, ...bus(200, 7)], bus(340, 8)]),
      carry: binary("$or", [bus(300, 8), bus(340, 8), bus(200, 8)]),
    },
  };

  it("are split into bits", () => {
    const simulation = simulate(chain);
    for (const [a, b, carryIn] of [
      [255, 1, 0],
      [0x55, 0xaa, 1],
      [200, 100, 0],
    ] as const) {
      simulation.set("a", a);
      simulation.set("b", b);
      simulation.set("in", carryIn);
      simulation.eval();
      let carry = carryIn as number;
      let expected = 0;
      for (let bit = 0; bit < 8; bit++) {
        carry = ((a >> bit) & 1) + ((b >> bit) & 1) + carry > 1 ? 1 : 0;
        expected |= carry << bit;
      }
      expect(simulation.get("carry")).toBe(expected);
    }
  });

  it("are refused, naming the nets, when the loop is real", () => {
    const loop: HandModule = {
      inputs: { a: [2] },
      outputs: { y: [3] },
      cells: {
        one: binary("$and", [[2], [4], [3]]),
        two: binary("$not", [[3], [], [4]]),
        behind: binary("$or", [[3], [2], [5]]),
      },
      nets: { inner: { bits: [4] } },
    };
    expect(() => compile(loop)).toThrow(
      expect.objectContaining({
        reason: "NETLIST_INVALID",
        details: { nets: expect.arrayContaining(["inner", "y"]) },
      }),
    );
  });
});

describe("what cannot be simulated is refused by name", () => {
  const withCell = (cell: HandModule["cells"]): HandModule => ({
    ...counter,
    inputs: { clk: [2], other: [3] },
    cells: { ...counter.cells, ...cell },
  });

  it.each([
    {
      why: "a vendor cell",
      module: withCell({ pll: { type: "SB_PLL40_PAD", connections: {} } }),
      names: ["SB_PLL40_PAD", "pll"],
    },
    {
      why: "a latch",
      module: withCell({ store: { type: "$dlatch", connections: {} } }),
      names: ["$dlatch", "store"],
    },
    {
      why: "an instance that was not flattened",
      module: withCell({ part: { type: "multiplier", connections: {} } }),
      names: ["multiplier", "part"],
    },
    {
      why: "a second clock",
      module: withCell({ second: flipFlop(3, [4], [5]) }),
      names: ["second", "other"],
    },
    {
      why: "a falling edge",
      module: withCell({ falling: flipFlop(2, [4], [5], "0") }),
      names: ["falling"],
    },
    {
      why: "a gated clock",
      module: withCell({ gated: flipFlop(20, [4], [5]) }),
      names: ["gated"],
    },
    {
      why: "the clock as data",
      module: withCell({ mixed: binary("$and", [[2], [3], [9]]) }),
      names: ["clock"],
    },
    {
      why: "a port over 64 bits",
      module: { inputs: { wide: bus(2, 65) } },
      names: ["wide", "65"],
    },
    {
      why: "a division over 256 bits",
      module: {
        cells: { long: binary("$div", [bus(2, 300), bus(400, 300), bus(800, 300)]) },
      },
      names: ["long", "$div", "300"],
    },
  ])("$why", ({ module, names }) => {
    let message = "";
    try {
      compile(module);
    } catch (error) {
      expect(error).toMatchObject({ reason: "CELL_UNSUPPORTED" });
      message = String(error);
    }
    for (const name of names) expect(message).toContain(name);
  });

  it.each([
    { why: "not an object", netlist: 3 },
    { why: "no JSON", netlist: "{" },
    { why: "no modules", netlist: {} },
    { why: "another top", netlist: { modules: { other: {} } } },
    {
      why: "a bit that is none",
      netlist: handNetlist({ inputs: { a: [-1] } }),
    },
    {
      why: "a cell without its ports",
      netlist: handNetlist({ cells: { add: { type: "$add", connections: { Y: [4] } } } }),
    },
    {
      why: "two drivers",
      netlist: handNetlist({
        inputs: { a: [2] },
        cells: {
          one: binary("$not", [[2], [], [3]]),
          two: binary("$not", [[2], [], [3]]),
        },
      }),
    },
    {
      why: "a multiplexer whose choices do not add up",
      netlist: handNetlist({
        cells: {
          mux: {
            type: "$bmux",
            parameters: { WIDTH: 1, S_WIDTH: 30 },
            connections: { A: [2], S: bus(10, 30), Y: [3] },
          },
        },
      }),
    },
  ])("a netlist with $why", ({ netlist }) => {
    expect(() => compileNetlist(netlist, { top: "top" })).toThrow(
      expect.objectContaining({ reason: "NETLIST_INVALID" }),
    );
  });

  it("a signal that the netlist does not have", () => {
    expect(() => compile(counter, { signals: ["nowhere"] })).toThrow(
      expect.objectContaining({
        reason: "NETLIST_INVALID",
        message: expect.stringContaining("nowhere"),
      }),
    );
  });

  it("a clock that is not an input", () => {
    expect(() => compile(counter, { clock: "count" })).toThrow(
      expect.objectContaining({ reason: "NETLIST_INVALID" }),
    );
  });
});
