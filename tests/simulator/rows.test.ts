import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { type IntegerGraph, targetOf } from "@/compiler";
import { compileNetlist } from "@/simulator/compile";
import { createCoreRunner, loadSimulation, type Simulation } from "@/simulator/run";
import { coreFor } from "@/tests/support/compiler/core-for";
import { imageNet } from "@/tests/support/compiler/map-graph";
import { loadSample } from "@/tests/support/compiler/samples";
import { loadTreeSample } from "@/tests/support/compiler/tree-samples";
import { digitsCore } from "./support/digits-core";
import { netlistOf } from "./support/tools";

// One core of each architecture, with its rows.

interface Core {
  readonly graph: IntegerGraph | ReturnType<typeof coreFor>["graph"];
  readonly verilog: string;
  readonly vectors: readonly Int8Array[];
}

const large = targetOf(getBoardModel("ulx3s-85f"));
const made = (...request: Parameters<typeof coreFor>): Core => {
  const core = coreFor(...request);
  return { ...core, vectors: core.vectors() };
};
const digits = (): Core => {
  const { graph, design, vectors } = digitsCore();
  return { graph, verilog: design.verilog, vectors };
};
const cores: readonly { name: string; make: () => Core; keep: RegExp }[] = [
  { name: "array", make: digits, keep: /^tap_/ },
  {
    name: "unrolled",
    make: () => made(loadSample("iris-mlp").graph, large, { architecture: "unrolled" }),
    keep: /^net\.(accumulator|value)_/,
  },
  { name: "walk", make: () => made(imageNet([4, 4]), large), keep: /^tap_/ },
  {
    name: "trees",
    make: () => made(loadTreeSample("wine-sklearn-forest/model.onnx").graph, large),
    keep: /^(leaf|value|sum)_/,
  },
];

/** The values of all that a simulation shows. */
const shown = (simulation: Simulation): Record<string, bigint> => {
  const { ports, signals } = simulation.interface;
  const names = [...ports, ...signals].map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, simulation.getBig(name)]));
};

describe.each(cores)("rows of the $name", ({ make, keep }) => {
  it("answered by the module are answered port by port as well, and leave the same state", async () => {
    const { graph, verilog, vectors } = make();
    const netlist = (await netlistOf(
      { "core.v": verilog },
      "setattr -set keep 1 w:tap_* w:accumulator_* w:value_*; proc; flatten; memory_collect; opt_clean",
    )) as { modules: { core: { netnames: Record<string, { bits: unknown[] }> } } };
    const nets = Object.entries(netlist.modules.core.netnames);
    const signals = nets.flatMap(([name, { bits }]) =>
      keep.test(name) && bits.length <= 64 ? [name] : [],
    );
    expect(signals.length).toBeGreaterThan(0);
    const { wasm } = compileNetlist(netlist, { top: "core", signals });
    const { wasm: plain } = compileNetlist(netlist, { top: "core" });
    const shape = {
      inputBytes: graph.input.size,
      outputBytes: (graph.output.width / 8) * graph.output.size,
    };
    const [whole, apart, bare] = [wasm, wasm, plain].map((bytes) => loadSimulation(bytes));
    if (!whole || !apart || !bare) throw new Error("a simulation is missing");
    const fast = createCoreRunner(whole, shape);
    const slow = createCoreRunner({ ...apart, answerRow: () => null }, shape);
    const unseen = createCoreRunner(bare, shape);
    for (const row of vectors.slice(0, 60)) {
      const wanted = slow.run(row);
      expect(fast.run(row)).toEqual(wanted);
      expect(unseen.run(row)).toEqual(wanted);
      expect(shown(whole)).toEqual(shown(apart));
    }
  });
});
