import { describe, expect, it } from "vitest";
import { CodeWriter } from "./code";
import { ByteWriter, encodeModule } from "./encoder";

describe("variable-length integers", () => {
  it.each([
    [0, [0]],
    [127, [127]],
    [128, [0x80, 1]],
    [624_485, [0xe5, 0x8e, 0x26]],
    [0xffffffff, [0xff, 0xff, 0xff, 0xff, 0x0f]],
  ])("%i unsigned", (value, bytes) => {
    expect([...new ByteWriter().u32(value).finish()]).toEqual(bytes);
  });

  it.each([
    [0n, [0]],
    [63n, [63]],
    [64n, [0xc0, 0]],
    [-1n, [0x7f]],
    [-64n, [0x40]],
    [-65n, [0xbf, 0x7f]],
    [-123_456n, [0xc0, 0xbb, 0x78]],
  ])("%i signed", (value, bytes) => {
    expect([...new ByteWriter().signed(value).finish()]).toEqual(bytes);
  });
});

describe("an encoded module", () => {
  const module = encodeModule({
    functions: [
      {
        parameters: ["i32", "i64"],
        results: ["i64"],
        locals: ["i64", "i32", "i32"],
        body: new CodeWriter()
          .index("local.get", 0)
          .op("i64.extend_i32_s")
          .index("local.get", 1)
          .op("i64.add")
          .finish(),
      },
      {
        parameters: [],
        results: [],
        locals: [],
        body: new CodeWriter()
          .constant("i32", 8n)
          .constant("i32", 0n)
          .constant("i32", 3n)
          .initMemory(0)
          .finish(),
      },
    ],
    exports: { sum: 0, fill: 1 },
    memoryPages: 2,
    segments: [Uint8Array.of(7, 8, 9)],
    customSection: { name: "note", text: "grün" },
  });
  const compiled = new WebAssembly.Module(new Uint8Array(module));

  it("is taken by the engine and computes", () => {
    const { exports } = new WebAssembly.Instance(compiled);
    const { sum, fill, memory } = exports as unknown as {
      sum: (a: number, b: bigint) => bigint;
      fill: () => void;
      memory: WebAssembly.Memory;
    };
    expect(sum(-5, 2n ** 40n)).toBe(2n ** 40n - 5n);
    fill();
    expect([...new Uint8Array(memory.buffer, 7, 5)]).toEqual([0, 7, 8, 9, 0]);
    expect(memory.buffer.byteLength).toBe(2 * 65_536);
  });

  it("carries its custom section", () => {
    const [section] = WebAssembly.Module.customSections(compiled, "note");
    expect(new TextDecoder().decode(section)).toBe("grün");
  });
});
