import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { LoadedModel } from "@/board-server/devices/device";
import { loadEmulation } from "@/board-server/devices/emulation";

// The process of an emulation, played by a script that speaks as the harness does: it doubles rows, and misbehaves when asked.

const folder = mkdtempSync(join(tmpdir(), "bw-emu-"));
const python = spawnSync("python3", ["-c", "import sys; print(sys.executable)"]).stdout.toString();
const loaded: LoadedModel[] = [];
afterAll(async () => {
  await Promise.all(loaded.map((model) => model.close()));
  rmSync(folder, { recursive: true, force: true });
});

const io = {
  inputs: [{ name: "x", datatype: "FP32", shape: [-1, 2], size: 2 }],
  outputs: [{ name: "y", datatype: "FP32", shape: [-1, 2], size: 2, activation: "none" as const }],
};
const script = (greeting: string) => `#!${python.trim()} -IS
import os, struct
def send(kind, payload):
    os.write(1, struct.pack("<IIQ", kind, len(payload), 5000) + payload)
${greeting}
held = []
while head := os.read(0, 4):
    rows, size = b"", struct.unpack("<I", head)[0]
    while len(rows) < size:
        rows += os.read(0, size - len(rows))
    values = struct.unpack(f"<{len(rows) // 4}f", rows)
    if values[0] == 666: os._exit(3)
    if values[0] == 777: held.append(bytearray(b"x") * (300 << 20)); os.read(0, 4)
    if values[0] == 888: os.write(1, b"Segmentation fault, says somebody")
    if values[0] == 999: send(1, b"no such row")
    else: send(0, struct.pack(f"<{len(values)}f", *(2 * value for value in values)))
`;
const greeting = "send(2, struct.pack('<II', 2, 2))";

function program(text = script(greeting)): string {
  const path = join(folder, `program-${Math.random().toString(36).slice(2)}`);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

async function load(path = program()): Promise<LoadedModel> {
  const model = await loadEmulation({ io }, path, { memoryLimitBytes: 200 * 2 ** 20 });
  loaded.push(model);
  return model;
}

const rows = (...values: number[]) => ({
  name: "x",
  datatype: "FP32" as const,
  shape: [values.length / 2, 2],
  data: Float32Array.from(values),
});

async function answer(model: LoadedModel, ...values: number[]): Promise<number[]> {
  const { outputs } = await model.infer([rows(...values)]);
  return Array.from(outputs[0]?.data ?? [], Number);
}

describe("the process of an emulation", () => {
  it("answers many calls at a time, each with its own rows and the time it took", async () => {
    const model = await load();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => answer(model, at, 1, 2, 3)),
    );
    expect(answers).toEqual(answers.map((_, at) => [2 * at, 2, 4, 6]));
    const { timing, outputs } = await model.infer([rows(1, 2)]);
    expect(timing.computeNs).toBe(5000);
    expect(outputs[0]?.shape).toEqual([1, 2]);
    await expect.poll(() => model.memoryBytes?.()).toBeGreaterThan(0);
  });

  it("must answer the vector file to the bit", async () => {
    const model = await load();
    const bytes = (...values: number[]) =>
      Buffer.from(Float32Array.from(values).buffer).toString("base64");
    await model.selfTest({ rows: 1, inputs: bytes(1, 2), outputs: bytes(2, 4) });
    const near = { rows: 1, inputs: bytes(1, 2), outputs: bytes(2, 4.000001) };
    await expect(model.selfTest(near)).rejects.toMatchObject({ reason: "SELF_TEST_FAILED" });
    await expect(model.selfTest(null)).rejects.toMatchObject({ reason: "ARTIFACT_MISMATCH" });
  });

  it("refuses a call in its own words, and goes on", async () => {
    const model = await load();
    await expect(model.infer([rows(999, 0)])).rejects.toMatchObject({
      reason: "INFER_INVALID",
      message: "no such row",
    });
    expect(await answer(model, 1, 2)).toEqual([2, 4]);
  });

  it.each([
    ["dies", 666, "INTERNAL"],
    ["writes what is no answer", 888, "INTERNAL"],
    ["holds more memory than it may", 777, "SLOT_MEMORY"],
  ])("fails that request alone when it %s, and is started again", async (_, row, reason) => {
    const model = await load();
    await expect(model.infer([rows(row, 0)])).rejects.toMatchObject({ reason });
    expect(await answer(model, 1, 2)).toEqual([2, 4]);
  });

  it.each([
    ["another model", script("send(2, struct.pack('<II', 2, 3))")],
    ["another program", "#!/bin/sh\necho hello there, what is this\n"],
    ["no program", "nothing"],
  ])("is not that of %s", async (_, text) => {
    await expect(load(program(text))).rejects.toMatchObject({ reason: "ARTIFACT_MISMATCH" });
  });

  it("dies with the board server, though that is killed", async () => {
    const path = program();
    const parent = join(folder, "parent.ts");
    writeFileSync(
      parent,
      `import { loadEmulation } from "@/board-server/devices/emulation";
       void loadEmulation(${JSON.stringify({ io })}, ${JSON.stringify(path)}, { memoryLimitBytes: 1e9 })
         .then(() => console.log("loaded"));
       setInterval(() => {}, 1000);`,
    );
    const server = spawn(process.execPath, ["--import", "tsx", parent], {
      cwd: resolve("."),
      env: { NODE_ENV: "test", PATH: "/usr/bin:/bin", TSX_TSCONFIG_PATH: resolve("tsconfig.json") },
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(server.stdout, "data");
    const pid = childOf(server.pid ?? 0);
    expect(isAlive(pid)).toBe(true);
    server.kill("SIGKILL");
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 30_000);
  });
});

function childOf(parent: number): number {
  const { stdout } = spawnSync("ps", ["-o", "pid=,args=", "--ppid", String(parent)]);
  const line = stdout
    .toString()
    .split("\n")
    .find((each) => each.includes("program-"));
  return Number.parseInt(line ?? "", 10);
}

function isAlive(pid: number): boolean {
  const path = `/proc/${pid}/status`;
  return existsSync(path) && !/^State:\s+Z/m.test(readFileSync(path, "utf8"));
}
