import { resolve } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getArtifact } from "@/domain/artifacts";
import type { NewEndpoint } from "@/lib/common/contract";
import { hexOf } from "@/lib/server/digest";
import { buckets } from "@/lib/server/storage";
import { createToolchain } from "@/workers/builds/tools";
import { bondmachineTools } from "../support/bondmachine/install-fakes";
import { scope } from "../support/domain";
import { firmware } from "./firmware";
import { toolsFolder } from "./folders";
import { startWorkerStack, type WorkerStack } from "./worker-stack";

// A build from the legacy network file to a signed bitstream, through the real worker; where BondMachine's two
// tools are not, they are stand-ins of ours.
const node = (Layer: number, Pos: number, Type: string, Bias = 0) => ({ Layer, Pos, Type, Bias });
const edge = (Layer: number, to: number, from: number, Value: number) => ({
  Layer,
  PosCurrLayer: to,
  PosPrevLayer: from,
  Value,
});
const network = {
  Nodes: [
    node(0, 0, "input"),
    node(0, 1, "input"),
    node(1, 0, "relu", 0.5),
    node(1, 1, "relu", -0.25),
    node(2, 0, "summation", 0.125),
    node(2, 1, "summation", -0.0625),
    node(3, 0, "softmax"),
    node(3, 1, "softmax"),
    node(4, 0, "output"),
    node(4, 1, "output"),
  ],
  Weights: [
    edge(1, 0, 0, 1.25),
    edge(1, 0, 1, -0.75),
    edge(1, 1, 0, -0.5),
    edge(1, 1, 1, 1.5),
    edge(2, 0, 0, 1),
    edge(2, 0, 1, -1),
    edge(2, 1, 0, -1.125),
    edge(2, 1, 1, 0.875),
    ...[0, 1].flatMap((to) => [0, 1].map((from) => edge(3, to, from, 1))),
    edge(4, 0, 0, 1),
    edge(4, 1, 1, 1),
  ],
};

let stack: WorkerStack;
const tools = bondmachineTools();

beforeAll(async () => {
  stack = await startWorkerStack();
  const linear = network.Nodes.map((each) => ({
    ...each,
    Type: each.Type.replace("relu", "linear"),
  }));
  for (const [name, content] of [
    ["modelBM", network],
    ["linear", { ...network, Nodes: linear }],
  ] as const) {
    const bytes = Buffer.from(JSON.stringify(content));
    await stack.store.put(buckets.samples, `machine/${name}.json`, bytes, {
      sizeBytes: bytes.length,
    });
  }
});
afterAll(async () => {
  await stack.stop();
  tools.remove();
});

const machine = (name: string): NewEndpoint => ({
  ...firmware(name),
  engine: "fpga-model",
  model: { url: "s3://boardwalk-samples/machine/modelBM.json" },
});

describe("a build of a BondMachine", { timeout: 900_000 }, () => {
  it("ends with the line that brings the tools where they are not", async () => {
    const worker = stack.startBuilder();
    try {
      const build = await stack.ended(await stack.deploy(machine("no-tools")));
      expect(build.problem).toMatchObject({
        reason: "TOOL_MISSING",
        hint: expect.stringContaining("npm run setup -- bondmachine"),
      });
    } finally {
      await worker.close();
    }
  });

  it("is proven bit by bit at each level, and reports the cycles that it took", async () => {
    const toolchain = createToolchain({
      native: new Set(),
      toolsDir: toolsFolder,
      suites: { bondmachine: tools.folder },
    });
    const worker = stack.startBuilder({ toolchain });
    try {
      const build = await stack.ended(await stack.deploy(machine("machine")));
      expect(build.problem).toBeNull();
      expect(build.state).toBe("succeeded");
      const { proof, latencyCycles = 0, notes = [] } = build.report ?? {};
      expect(proof?.levels?.map(({ level }) => level)).toEqual(["rtl", "netlist"]);
      expect(proof?.mismatches).toBe(0);
      expect(proof?.agreement).toBeGreaterThan(0.98);
      expect(notes.join(" ")).toContain("4 connecting processors");
      const { manifest } = await getArtifact(scope, build.artifactDigest ?? "");
      expect(manifest.engine).toBe("bondmachine");
      expect(Object.keys(manifest.tools)).toEqual(expect.arrayContaining(["basm", "bondmachine"]));
      expect(manifest.core).toMatchObject({ inputBytes: 4, outputBytes: 4, latencyVaries: true });
      expect(latencyCycles).toBeGreaterThan(0);
      expect(latencyCycles).toBeLessThan(manifest.core?.latencyCycles ?? 0);
      expect(manifest.files.map(({ role }) => role)).toContain("bitstream");
    } finally {
      await worker.close();
    }
  });

  it.each([
    { vendor: {}, needs: "Vivado", why: "there is no Vivado" },
    {
      vendor: { vivado: resolve("tests/workers/fake-vivado.sh") },
      needs: undefined,
      why: "there is one",
    },
  ])("on a vendor's board is a proven project where $why", async ({ vendor, needs }) => {
    const toolchain = createToolchain({
      native: new Set(),
      toolsDir: toolsFolder,
      suites: { bondmachine: tools.folder },
      vendor,
    });
    const worker = stack.startBuilder({ toolchain });
    try {
      const build = await stack.ended(
        await stack.deploy({
          ...machine(`zynq-${needs ? "without" : "with"}`),
          board: { model: "zedboard", kind: "simulated" },
          options: { dataType: "fps16f12", clockHz: 100e6 },
        }),
      );
      expect(build.problem).toBeNull();
      expect(build.report?.bitstreamNeeds).toBe(needs);
      expect(build.report?.achievedMhz !== undefined).toBe(needs === undefined);
      const { proof } = build.report ?? {};
      expect(proof?.levels?.map(({ level }) => level)).toEqual(["rtl", "netlist"]);
      expect(proof?.mismatches).toBe(0);
      const { manifest } = await getArtifact(scope, build.artifactDigest ?? "");
      expect(manifest.files.some(({ role }) => role === "bitstream")).toBe(needs === undefined);
      const project = manifest.files.find(({ role }) => role === "project");
      const { stream } = await stack.store.get(buckets.artifacts, hexOf(project?.digest ?? ""));
      const files = unzipSync(Buffer.concat(await stream.toArray()));
      const text = (name: string) => Buffer.from(files[name] ?? []).toString();
      expect(Object.keys(files)).toEqual(
        expect.arrayContaining(["axi.v", "core.v", "identity.v", "implement.tcl", "tables.v"]),
      );
      expect(text("core.v")).toMatch(/module core\b[\s\S]*module bondmachine\b/);
      expect(text("tables.v")).toContain(manifest.planDigest);
      expect(text("implement.tcl")).toContain("boardwalk_axi");
    } finally {
      await worker.close();
    }
  });

  // ReLU by neuralbond needs 32 bits; the machine with a processor for each weight is of words of 16.
  it.each([
    { collapse: true, network: "modelBM", dataType: "fps32f16" },
    { collapse: false, network: "linear", dataType: "fps16f8" },
  ])("by neuralbond is proven, too: $network, fused $collapse", async (asked) => {
    const { collapse, network: file, dataType } = asked;
    const toolchain = createToolchain({
      native: new Set(),
      toolsDir: toolsFolder,
      suites: { bondmachine: tools.folder },
    });
    const worker = stack.startBuilder({ toolchain });
    try {
      const build = await stack.ended(
        await stack.deploy({
          ...machine(`by-neuralbond-${collapse}`),
          model: { url: `s3://boardwalk-samples/machine/${file}.json` },
          board: { model: "zedboard", kind: "simulated" },
          options: { flow: "neuralbond", collapse, dataType, clockHz: 100e6 },
        }),
      );
      expect(build.problem).toBeNull();
      expect(build.report?.proof?.levels?.map(({ level }) => level)).toEqual(["rtl", "netlist"]);
      expect(build.report?.proof?.mismatches).toBe(0);
      const processors = 2 + 4 + 2 * 2 + (collapse ? 0 : 8);
      expect(build.report?.notes?.join(" ")).toContain(`${processors} connecting processors`);
      const { manifest } = await getArtifact(scope, build.artifactDigest ?? "");
      expect(Object.keys(manifest.tools)).toContain("neuralbond");
    } finally {
      await worker.close();
    }
  });
});
