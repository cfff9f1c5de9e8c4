import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openRegisters } from "@/board-server/devices/axi";
import { axiKernel, axiMagic } from "@/boards/links/axi";
import { trialAxiDesign, trialCore } from "../board-server/support/artifacts";
import { type FakeFabric, makeFakeFabric } from "../board-server/support/fake-fabric";
import { trialCoreAnswer } from "./support/trial-core";

// The library that gives a card's registers where pyxrt does not, compiled with headers of XRT that are fakes: a
// C++ compiler says that it is whole, and a simulated design that it reads and writes where it should.

const compiler = process.env["CXX"] ?? "g++";
let folder: string;
let library: string;
let fabric: FakeFabric;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "bw-xrt-library-"));
  library = path.join(folder, "libboardwalk-xrt.so");
  const source = "board-server/devices/xrt/boardwalk-xrt.cc";
  const flags = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"];
  execFileSync(compiler, [...flags, "-Itests/hardware/support/fake-xrt", source, "-o", library]);
  fabric = await makeFakeFabric(path.join(folder, "fabric"));
  fabric.load(await trialAxiDesign());
  writeFileSync(path.join(folder, "kernel.xclbin"), "xclbin2\0");
});
afterAll(async () => {
  await fabric.close();
  rmSync(folder, { recursive: true });
});

let opened: Awaited<ReturnType<typeof openRegisters>> | null = null;
afterEach(async () => {
  await opened?.close();
  opened = null;
});

const open = (xclbin = "kernel.xclbin", device = "0000:65:00.1") =>
  openRegisters({
    place: {
      kind: "card",
      device,
      xclbin: path.join(folder, xclbin),
      name: axiKernel,
      library,
    },
    python: "python3",
    env: { FAKE_FABRIC: fabric.socket },
    openMs: 20_000,
  });

describe("the library for XRT", () => {
  it("reads who the kernel is, and runs rows", async () => {
    opened = await open();
    expect(await opened.identify(20_000)).toMatchObject({ magic: axiMagic, input_bytes: 5 });
    await opened.reset(20_000);
    const row = Uint8Array.from([9, 8, 7, 6, 5]);
    const { outputs, cycles } = await opened.run(row, trialCore, 20_000);
    expect(outputs).toEqual(trialCoreAnswer(trialCore, row));
    expect(cycles).toBeGreaterThan(40);
  });

  it("tells what XRT says when it cannot", async () => {
    await expect(open("kernel.xclbin", "0000:b3:00.1")).rejects.toMatchObject({
      reason: "LINK_FAILED",
      message: expect.stringMatching(/No such device '0000:b3:00.1'/),
    });
    await expect(open("no.xclbin")).rejects.toMatchObject({
      message: expect.stringMatching(/Invalid xclbin/),
    });
  });
});
