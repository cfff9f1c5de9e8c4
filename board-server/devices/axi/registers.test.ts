import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axiBits, axiMagic, axiOffsets } from "@/boards/links/axi";
import { openRegisters } from "./registers";

// The program that maps memory, over a file that is memory and nothing more: it shows where every access goes.

let folder: string;
let file: string;
const base = 4096;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bw-registers-"));
  file = join(folder, "mem");
  const memory = Buffer.alloc(3 * 4096);
  memory.writeUInt32LE(axiMagic, base + axiOffsets.magic);
  memory.writeUInt32LE(1, base + axiOffsets.version);
  memory.writeUInt32LE(5, base + axiOffsets.input_bytes);
  memory.writeUInt32LE(1, base + axiOffsets.output_bytes);
  memory.writeUInt32LE(7, base + axiOffsets.cycles);
  memory.writeUInt32LE(0xdeadbeef, base + axiOffsets.identity + 4 * 11);
  const { data_in_ready = 0 } = axiBits.status;
  memory.writeUInt32LE(data_in_ready, base + axiOffsets.status);
  const { there = 0, last = 0 } = axiBits.data_out;
  memory.writeUInt32LE(there | last | 0x5a, base + axiOffsets.data_out);
  writeFileSync(file, memory);
});
afterAll(() => rmSync(folder, { recursive: true }));

const open = (path = file) =>
  openRegisters({
    place: { kind: "mapped", path, offset: base, size: 4096 },
    python: "python3",
    openMs: 20_000,
  });

describe("registers that are mapped", () => {
  it("are words at their offsets, from the base address on", async () => {
    const registers = await open();
    const { identity, ...words } = await registers.identify(10_000);
    expect(words).toEqual({ magic: axiMagic, version: 1, input_bytes: 5, output_bytes: 1 });
    expect(identity).toEqual([...Array(11).fill(0), 0xdeadbeef]);
    await registers.reset(10_000);
    const row = Uint8Array.from([1, 2, 3, 4, 9]);
    const sizes = { inputBytes: 5, outputBytes: 1 };
    expect(await registers.run(row, sizes, 10_000)).toEqual({
      outputs: Uint8Array.from([0x5a]),
      cycles: 7,
    });
    await registers.close();
    const memory = readFileSync(file);
    expect(memory.readUInt32LE(base + axiOffsets.control)).toBe(3);
    // The last byte of a row, marked so; nothing else was written.
    expect(memory.readUInt32LE(base + axiOffsets.data_in)).toBe(0x109);
    expect(memory.subarray(0, base).every((byte) => byte === 0)).toBe(true);
    expect(memory.subarray(2 * base).every((byte) => byte === 0)).toBe(true);
  });

  it("that never get ready are given up in time, naming the row", async () => {
    const registers = await open();
    const memory = readFileSync(file);
    const before = Buffer.from(memory);
    memory.writeUInt32LE(0, base + axiOffsets.data_out);
    writeFileSync(file, memory);
    const run = registers.run(Uint8Array.of(1, 2), { inputBytes: 1, outputBytes: 1 }, 200);
    await expect(run).rejects.toMatchObject({
      reason: "LINK_FAILED",
      message: "The core hangs at row 0 of the call: no answer came.",
    });
    await registers.close();
    writeFileSync(file, before);
  });

  it("that are not there, or none, are told of in words", async () => {
    await expect(open(join(folder, "uio7"))).rejects.toMatchObject({
      reason: "LINK_FAILED",
      message: expect.stringMatching(/no registers here.*uio7/),
    });
    writeFileSync(join(folder, "short"), "x");
    await expect(open(join(folder, "short"))).rejects.toMatchObject({
      reason: "LINK_FAILED",
      message: expect.stringMatching(/cannot be used/),
    });
  });

  it("leave no process behind", async () => {
    const registers = await open();
    await registers.close();
    await expect(registers.identify(1000)).rejects.toMatchObject({ reason: "CANCELLED" });
  });
});
