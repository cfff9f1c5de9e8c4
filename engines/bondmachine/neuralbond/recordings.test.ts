import { describe, expect, it } from "vitest";
import type { PlanRequest, ToolStep } from "@/engines";
import { loadNeuralbond, neuralbondNets, programsOf } from "@/tests/support/bondmachine/recordings";
import { denseGraph } from "@/tests/support/compiler/dense-graph";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { readModel } from "../../read-model";
import { numberTypeOf } from "../../reference/number-type";
import { runReference } from "../../reference/reference";
import { bondmachineEngine as engine } from "..";
import { asPrinted } from "./network";

const base: PlanRequest = { ...planRequest("iris-mlp", "ulx3s-85f"), card: null };

/** A recorded net as a plan: its network file is the model. */
function planOf(net: string) {
  const { network, vectors } = loadNeuralbond(net);
  const model = readModel(new TextEncoder().encode(network), base.model.digest);
  const options = {
    dataType: vectors.type,
    flow: "neuralbond",
    collapse: net.endsWith("collapsed"),
    ...(vectors.expprec === undefined ? {} : { softmax: "hardware", expprec: vectors.expprec }),
  };
  return engine.plan({ ...base, model, options });
}

/** Our files lie in the work folder itself. */
const asOurs = (args: readonly string[]) =>
  args.map((arg) => (arg === "neurons" ? "." : arg.replace("neurons/", "")));

const fileOf = (plan: ReturnType<typeof planOf>, name: string) => String(plan.files.get(name));
const assemblyNames = (text: string, kind: string) =>
  [...text.matchAll(new RegExp(`%meta ${kind} (\\S+)`, "g"))].map(([, name]) => name).sort();

describe.each(neuralbondNets)("the net %s by neuralbond", (net) => {
  const { network, configuration, assembly, machine, commands, vectors } = loadNeuralbond(net);
  const plan = planOf(net);

  it("is given to it as it was recorded, fused or not", () => {
    expect(JSON.parse(fileOf(plan, "net.json"))).toEqual(JSON.parse(network));
    expect(JSON.parse(fileOf(plan, "cfg.json"))).toEqual(configuration);
    expect(plan.files.has("net.basm")).toBe(false);
  });

  it("goes through the very commands that were recorded", () => {
    const ours = plan.steps
      .filter((step): step is ToolStep => step.kind === "tool")
      .filter(({ command }) => ["neuralbond", "basm", "bondmachine"].includes(command))
      .map(({ command, args, folder = "." }) => ({ cwd: folder, args: [command, ...args] }));
    expect(ours).toEqual(commands.map(({ cwd, args }) => ({ cwd, args: asOurs(args) })));
  });

  it("becomes as many processors and links, under the names that neuralbond gave them", () => {
    const { layers } = plan.forecast.machine!;
    const processors = layers.flatMap((layer) => layer.processors);
    expect(processors).toHaveLength(vectors.processors);
    const gather = plan.steps.find((step) => step.kind === "derive");
    expect(gather).toMatchObject({
      given: { processors: vectors.processors, links: vectors.links },
    });
    expect(assemblyNames(assembly, "cpdef")).toHaveLength(processors.length);
    expect(processors.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
      processors.map((_, at) => at),
    );
    const programs = programsOf(machine);
    for (const { number, instructions } of processors) {
      expect(programs[number]).toHaveLength(instructions);
    }
  });

  it("is answered bit for bit, in no more cycles than a row is given", () => {
    const { width } = numberTypeOf(vectors.type);
    const signed = (words: readonly number[]) =>
      words.map((word) => Number(BigInt.asIntN(width, BigInt(word))));
    for (const row of vectors.rows) {
      expect([...runReference(plan.reference!, signed(row.in)).output]).toEqual(signed(row.out));
    }
    expect(plan.core?.latencyCycles).toBeGreaterThan(vectors.cyclesMax);
    const { latencyCycles = 0 } = plan.forecast;
    expect(latencyCycles).toBeGreaterThan(0.7 * vectors.cyclesMin);
    expect(latencyCycles).toBeLessThan(1.3 * vectors.cyclesMax);
  });
});

describe("a plan by neuralbond", () => {
  it("computes with the six decimals that neuralbond prints, not with the model's weights", () => {
    const model = { ...base.model, graph: denseGraph([3, 2]) };
    const options = { dataType: "float32", flow: "neuralbond" };
    const plan = engine.plan({ ...base, model, options });
    const { Weights, Nodes } = JSON.parse(fileOf(plan, "net.json"));
    for (const { Value } of Weights) expect(Value).toBe(asPrinted(Value));
    for (const { Bias } of Nodes) expect(Bias).toBe(asPrinted(Bias));
    const direct = engine.plan({ ...base, model, options: { dataType: "float32" } });
    expect(plan.reference).not.toEqual(direct.reference);
  });

  it.each([
    [0.1234565, 0.123457, "the float32 lies above the tie"],
    [0.0078125, 0.007812, "a tie goes to the even digit"],
    [-0.0078125, -0.007812, "the same below zero"],
    [0.0234375, 0.023438, "a tie goes up where that is even"],
    [4e-7, 0, "what is too small vanishes"],
    [1.5, 1.5, "what has few decimals stays"],
  ])("prints %d as %d: %s", (value, printed) => {
    expect(asPrinted(value)).toBeCloseTo(printed, 9);
  });

  it("leaves out small connections there, too", () => {
    const model = { ...base.model, graph: denseGraph([6, 5, 3]) };
    const weightsOf = (prune: number) => {
      const options = { dataType: "fps32f16", flow: "neuralbond", prune };
      return JSON.parse(fileOf(engine.plan({ ...base, model, options }), "net.json")).Weights;
    };
    expect(weightsOf(0)).toHaveLength(6 * 5 + 5 * 3 + 3);
    expect(weightsOf(0.4).length).toBeLessThan(weightsOf(0).length);
  });

  it("takes no ReLU on words of 16 bits, and by itself none of those types", () => {
    const { network } = loadNeuralbond("2-2-1-relu-float32");
    const model = readModel(new TextEncoder().encode(network), base.model.digest);
    const planWith = (dataType: string) =>
      engine.plan({ ...base, model, options: { dataType, flow: "neuralbond" } });
    expect(() => planWith("fps16f8")).toThrow(
      expect.objectContaining({ reason: "OPTION_INVALID", field: "options.dataType" }),
    );
    expect(planWith("auto").forecast.machine?.type).toBe("fps32f16");
  });
});
