import { describe, expect, it } from "vitest";
import type { Graph } from "@/compiler";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { getEngine } from ".";

// Names in a model are text of its author's: none may become a word of a script, a file name or an argument of a tool.

const evil =
  'x"; exec touch /tmp/zzowned; [exec id] `id` $(id) ); endmodule\n`include "/etc/zzowned"\n';

/** The graph with other names throughout, the same for the same name. */
function renamed(graph: Graph): Graph {
  const name = (own: string) => (own === "" ? "" : `${evil}${own}`);
  const tensor = <T extends { readonly name: string }>(each: T): T => ({
    ...each,
    name: name(each.name),
  });
  const keys = <T>(map: ReadonlyMap<string, T>, value: (each: T) => T) =>
    new Map([...map].map(([key, each]) => [name(key), value(each)]));
  return {
    ...graph,
    inputs: graph.inputs.map(tensor),
    outputs: graph.outputs.map(tensor),
    nodes: graph.nodes.map((node) => ({
      ...tensor(node),
      inputs: node.inputs.map(name),
      outputs: node.outputs.map(name),
    })),
    constants: keys(graph.constants, tensor),
    shapes: keys(graph.shapes, (shape) => shape),
  };
}

describe("a plan for a model with hostile names", () => {
  it.each([
    ["boardwalk", "icebreaker", {}],
    ["boardwalk", "ulx3s-85f", { architecture: "unrolled" }],
    ["boardwalk", "basys3", {}],
    ["hls4ml", "cpu", {}],
    ["hls4ml", "basys3", {}],
  ] as const)("by %s for %s %j says nothing of them but in data", (id, board, options) => {
    const request = planRequest("iris-mlp", board, { options });
    const { graph } = request.model;
    if (!graph || !request.card) throw new Error("the sample has a graph and a card");
    const card = {
      ...request.card,
      title: evil,
      classes: request.card.classes?.map((each) => `${evil}${each}`) ?? [],
      featureNames: request.card.featureNames?.map((each) => `${evil}${each}`) ?? [],
    };
    const plan = getEngine(id).plan({
      ...request,
      card,
      model: { ...request.model, graph: renamed(graph) },
    });
    // They do travel with it.
    expect(plan.io.inputs[0]?.name).toContain("zzowned");
    const words = plan.steps.flatMap((step) => (step.kind === "tool" ? step.args : []));
    expect([...plan.files.keys(), ...words].join(" ")).not.toMatch(/zzowned|[`\n]/);
    const scripts = [...plan.files].filter(([path]) => !/\.(json|onnx|keras|bin)$/.test(path));
    expect(scripts.length).toBeGreaterThan(0);
    for (const [path, content] of scripts) {
      expect([path, Buffer.from(content).toString("latin1")]).toEqual([
        path,
        expect.not.stringMatching(/zzowned/),
      ]);
    }
  });
});
