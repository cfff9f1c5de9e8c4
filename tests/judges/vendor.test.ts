import { resolve } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getArtifact } from "@/domain/artifacts";
import type { Build, NewEndpoint } from "@/lib/common/contract";
import { hexOf } from "@/lib/server/digest";
import { buckets } from "@/lib/server/storage";
import { scope } from "@/tests/support/domain";
import { startWorkerStack, type WorkerStack } from "@/tests/workers/worker-stack";

// Boards whose bitstream needs a vendor's tool, without it and with one that is a fake.

let stack: WorkerStack;
beforeAll(async () => {
  stack = await startWorkerStack();
});
afterAll(() => stack.stop());

const on = (model: string, name: string): NewEndpoint => ({
  name,
  engine: "boardwalk",
  model: { url: "s3://boardwalk-samples/pair/model.onnx" },
  board: { model, kind: "simulated" },
  options: { architecture: "array", clockHz: 100e6 },
});
const stage = ({ stages }: Build, name: string) => stages.find((each) => each.name === name);

async function filesOf(build: Build) {
  const { manifest } = await getArtifact(scope, build.artifactDigest ?? "");
  const bytes = async (role: string) => {
    const file = manifest.files.find((each) => each.role === role);
    const { stream } = await stack.store.get(buckets.artifacts, hexOf(file?.digest ?? ""));
    return Buffer.concat(await stream.toArray());
  };
  return { manifest, roles: manifest.files.map(({ role }) => role).sort(), bytes };
}

describe("a board that needs Vivado", { timeout: 900_000 }, () => {
  it("ends in a proven project and a simulation where there is no Vivado, and pretends no bitstream", async () => {
    const worker = stack.startBuilder();
    const build = await stack.ended(await stack.deploy(on("basys3", "without")));
    await worker.close();
    expect(build.problem).toBeNull();
    expect(build.state).toBe("succeeded");
    for (const name of ["place", "pack"])
      expect(stage(build, name)).toMatchObject({
        state: "skipped",
        reason: "project written, bitstream needs Vivado",
      });
    expect(build.report).toMatchObject({ bitstreamNeeds: "Vivado", clockHz: 100e6 });
    expect(build.report?.achievedMhz).toBeUndefined();
    expect(build.report?.proof?.levels?.map(({ level }) => level)).toEqual(["rtl", "netlist"]);
    const { roles, bytes, manifest } = await filesOf(build);
    expect(roles).toEqual(["graph", "project", "report", "simulation", "vectors", "verilog"]);
    const project = unzipSync(await bytes("project"));
    expect(Object.keys(project)).toEqual([
      "Makefile",
      "README.md",
      "bitstream.tcl",
      "clock.v",
      "core.v",
      "identity.v",
      "implement.tcl",
      "shell.v",
      "tables.v",
      "top.v",
      "top.xdc",
    ]);
    const text = (name: string) => Buffer.from(project[name] ?? []).toString();
    expect(text("implement.tcl")).toContain("synth_design -top top -part xc7a35tcpg236-1");
    expect(text("tables.v")).toContain(manifest.planDigest);
    expect(text("core.v")).toBe((await bytes("verilog")).toString());
  });

  it("ends in a bitstream and Vivado's own numbers where there is one", async () => {
    const worker = stack.startBuilder({
      vendor: { vivado: resolve("tests/workers/fake-vivado.sh") },
    });
    const build = await stack.ended(await stack.deploy(on("basys3", "with")));
    await worker.close();
    expect(build.problem).toBeNull();
    expect(build.reused).toBe(false);
    for (const name of ["place", "pack"]) expect(stage(build, name)?.state).toBe("succeeded");
    expect(build.report?.bitstreamNeeds).toBeUndefined();
    expect(build.report?.achievedMhz).toBeCloseTo(125);
    expect(build.report?.resources.find(({ id }) => id === "lut")?.used).toBe(611);
    const { roles, manifest, bytes } = await filesOf(build);
    expect(roles).toContain("bitstream");
    expect(roles).toContain("project");
    expect((await bytes("bitstream")).toString()).toBe("not a bitstream\n");
    expect(manifest.tools["vivado"]).toMatch(/^fake Vivado v0\.0 /);
  });
});

describe("a board whose processor speaks AXI", { timeout: 900_000 }, () => {
  it("ends in a proven system and the map of its registers", async () => {
    const worker = stack.startBuilder();
    const build = await stack.ended(await stack.deploy(on("pynq-z2", "zynq")));
    await worker.close();
    expect(build.problem).toBeNull();
    expect(build.report?.proof?.levels?.map(({ level }) => level)).toEqual(["rtl", "netlist"]);
    const { bytes, manifest } = await filesOf(build);
    expect(manifest.baud).toBeUndefined();
    const project = unzipSync(await bytes("project"));
    const text = (name: string) => Buffer.from(project[name] ?? []).toString();
    expect(JSON.parse(text("registers.json"))).toMatchObject({
      module: "boardwalk_axi",
      inputBytes: manifest.core?.inputBytes,
    });
    expect(text("implement.tcl")).toContain("create_bd_cell -type module -reference boardwalk_axi");
    expect(text("implement.tcl")).toContain("CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ {100}");
  });
});
