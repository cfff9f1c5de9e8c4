import { describe, expect, it } from "vitest";
import {
  ecp5Bitstream,
  gowinBitstream,
  ice40Bitstream,
  xclbinFile,
  xilinxBitstream,
} from "@/tests/support/bitstreams";
import { getBoardModel } from "../registry";
import { configurationOf, fitsPart, readBitstream } from ".";

const fits = (bytes: Uint8Array, board: string): boolean => {
  const header = readBitstream(bytes);
  if (!header) throw new Error("no bitstream");
  return fitsPart(header, getBoardModel(board).part);
};
const reasonOf = (bytes: Uint8Array): string => {
  try {
    return readBitstream(bytes) ? "taken" : "unknown";
  } catch (error) {
    return (error as { reason: string }).reason;
  }
};
const textOf = (lines: readonly string[]) => Buffer.from(lines.join("\n"));

describe("an iCE40 bitstream", () => {
  it("is told by the size of its configuration, with what its comment says", () => {
    const bytes = ice40Bitstream({ comment: "Lattice\0iCEcube2\0" });
    expect(readBitstream(bytes)).toEqual({
      format: "ice40-bitstream",
      device: "5k",
      partName: null,
      comments: ["Lattice", "iCEcube2"],
    });
    expect(fits(bytes, "icebreaker")).toBe(true);
    expect(fits(bytes, "icestick")).toBe(false);
    expect(fits(bytes, "ulx3s-25f")).toBe(false);
  });

  it.each([
    ["icestick", 332, 144],
    ["tinyfpga-bx", 872, 272],
    ["alhambra-ii", 872, 272],
  ])("fits %s by %i × %i bits", (board, width, height) => {
    expect(fits(ice40Bitstream({ width, height }), board)).toBe(true);
    expect(fits(ice40Bitstream({ width, height }), "icebreaker")).toBe(false);
  });

  it("is refused wherever it is cut off", () => {
    const bytes = ice40Bitstream();
    for (const length of [8, 12, 100, bytes.length >> 1, bytes.length - 5, bytes.length - 3]) {
      expect(reasonOf(bytes.subarray(0, length)), `${length}`).toBe("FIRMWARE_TRUNCATED");
    }
  });

  it("is refused with a bit turned round, with a size that lies, and with more behind its end", () => {
    const turned = ice40Bitstream();
    turned[1000] = (turned[1000] ?? 0) ^ 1;
    expect(reasonOf(turned)).toBe("FIRMWARE_INVALID");
    expect(reasonOf(ice40Bitstream({ width: 400, height: 100 }))).toBe("FIRMWARE_INVALID");
    expect(reasonOf(ice40Bitstream({ claimedHeight: 320 }))).toBe("FIRMWARE_INVALID");
    expect(reasonOf(ice40Bitstream({ claimedHeight: 60_000 }))).toBe("FIRMWARE_TRUNCATED");
    expect(reasonOf(Buffer.concat([ice40Bitstream(), Buffer.from("more")]))).toBe(
      "FIRMWARE_INVALID",
    );
  });

  it("is refused with several images", () => {
    const several = Buffer.from([0x7e, 0xaa, 0x99, 0x7e, 0x92, 0, 0, 0x01, 0x08]);
    expect(reasonOf(several)).toBe("FIRMWARE_INVALID");
  });
});

describe("an ECP5 bitstream", () => {
  it("is told by its id, and its part by its comment", () => {
    const bytes = ecp5Bitstream();
    expect(readBitstream(bytes)).toEqual({
      format: "ecp5-bitstream",
      device: "LFE5U-25F",
      partName: "LFE5U-25F-6CABGA381",
      comments: ["Part: LFE5U-25F-6CABGA381"],
    });
    expect(fits(bytes, "ulx3s-25f")).toBe(true);
    // The same chip in other packages, another chip in the same.
    for (const board of ["orangecrab-25f", "colorlight-5a-75b-v8", "ulx3s-12f", "ulx3s-85f"]) {
      expect(fits(bytes, board), board).toBe(false);
    }
  });

  it("is told by its id alone where it has no comment", () => {
    const bytes = ecp5Bitstream({ part: null, idcode: 0x81113043, frames: 13_294 });
    expect(readBitstream(bytes)).toMatchObject({ device: "LFE5UM5G-85F", partName: null });
    expect(fits(bytes, "ecp5-evn")).toBe(true);
    expect(fits(bytes, "ulx3s-85f")).toBe(false);
  });

  it.each([
    ["cut off in its comment", ecp5Bitstream().subarray(0, 20), "FIRMWARE_TRUNCATED"],
    ["cut off in a command", ecp5Bitstream().subarray(0, 45), "FIRMWARE_TRUNCATED"],
    ["cut off before its end", ecp5Bitstream().subarray(0, 120), "FIRMWARE_TRUNCATED"],
    ["of too few frames", ecp5Bitstream({ frames: 100 }), "FIRMWARE_INVALID"],
    ["with the id of no chip", ecp5Bitstream({ idcode: 0x1234 }), "FIRMWARE_INVALID"],
    ["whose comment lies", ecp5Bitstream({ part: "LFE5U-85F-6CABGA381" }), "FIRMWARE_INVALID"],
  ])("is refused %s", (_, bytes, reason) => {
    expect(reasonOf(bytes)).toBe(reason);
  });
});

describe("a Gowin bitstream", () => {
  it("is told by its id, and its part by its comment", () => {
    const bytes = textOf(gowinBitstream({ part: "GW1NR-LV9QN88PC6/I5" }));
    expect(readBitstream(bytes)).toMatchObject({
      format: "gowin-bitstream",
      device: "GW1N-9C",
      partName: "GW1NR-LV9QN88PC6/I5",
    });
    expect(fits(bytes, "tang-nano-9k")).toBe(true);
    expect(fits(bytes, "tang-nano-20k")).toBe(false);
  });

  it("is held against the package too", () => {
    const of = (part: string | null) => textOf(gowinBitstream({ part, idcode: 0x0000081b }));
    expect(fits(of(null), "tang-nano-20k")).toBe(true);
    expect(fits(of("GW2AR-LV18QN88C8/I7"), "tang-nano-20k")).toBe(true);
    expect(fits(of("GW2A-LV18PG256C8/I7"), "tang-nano-20k")).toBe(false);
    expect(fits(of("GW2A-LV18PG256C8/I7"), "tang-primer-20k")).toBe(true);
  });

  it("is refused without the frames that it announces, or without an end", () => {
    const lines = gowinBitstream({ part: null });
    expect(reasonOf(textOf(lines))).toBe("taken");
    for (const count of [3, 4, 6, lines.length - 3, lines.length - 1]) {
      expect(reasonOf(textOf(lines.slice(0, count))), `${count}`).toBe("FIRMWARE_TRUNCATED");
    }
    const broken = [...lines.slice(0, -1), (lines.at(-1) ?? "").slice(0, 13)];
    expect(reasonOf(textOf(broken))).toBe("FIRMWARE_TRUNCATED");
  });

  it("is refused with what is no bit, and with the id of no chip", () => {
    const lines = gowinBitstream({ part: null });
    expect(reasonOf(textOf(lines.with(5, "0101010x")))).toBe("FIRMWARE_INVALID");
    expect(reasonOf(textOf(gowinBitstream({ part: null, idcode: 1 })))).toBe("FIRMWARE_INVALID");
  });
});

describe("a Xilinx bitstream", () => {
  it("is told by its fields", () => {
    const bytes = xilinxBitstream();
    expect(readBitstream(bytes)).toEqual({
      format: "xilinx-bitstream",
      device: "7z020clg484",
      partName: "7z020clg484",
      comments: ["design bm;UserID=0xFFFFFFFF", "made 2026/01/31 12:00:00"],
    });
    expect(fits(bytes, "zedboard")).toBe(true);
    expect(fits(bytes, "pynq-z2")).toBe(false);
    expect(fits(bytes, "ebaz4205")).toBe(false);
    expect(fits(xilinxBitstream({ part: "xcu50-fsvh2104-2-e" }), "alveo-u50")).toBe(true);
    expect(fits(xilinxBitstream({ part: "7z" }), "zedboard")).toBe(false);
  });

  it.each([
    ["whose length is larger", xilinxBitstream({ length: 2 ** 32 - 1 }), "FIRMWARE_TRUNCATED"],
    ["whose length is smaller", xilinxBitstream({ length: 10 }), "FIRMWARE_INVALID"],
    ["cut off in a field", xilinxBitstream().subarray(0, 25), "FIRMWARE_TRUNCATED"],
    ["without a part", xilinxBitstream({ part: "" }), "FIRMWARE_INVALID"],
    ["without a sync word", xilinxBitstream({ sync: 0 }), "FIRMWARE_INVALID"],
  ])("is refused %s", (_, bytes, reason) => {
    expect(reasonOf(bytes)).toBe(reason);
  });
});

describe("a configuration in memory", () => {
  it("is what Vivado's file holds behind its header, and nothing of another file", () => {
    const data = configurationOf(xilinxBitstream());
    expect(Uint8Array.from(data ?? []).subarray(0, 36)).toEqual(
      Uint8Array.from([...Array(32).fill(0xff), 0xaa, 0x99, 0x55, 0x66]),
    );
    expect(configurationOf(ice40Bitstream())).toBeNull();
  });
});

describe("an xclbin", () => {
  it("is told by its platform, and fits the card of that name alone", () => {
    const bytes = xclbinFile();
    expect(readBitstream(bytes)).toEqual({
      format: "xclbin",
      device: "u50",
      partName: "xilinx_u50_gen3x16_xdma_5_202210_1",
      comments: ["xclbin 2.13.0, 000102030405060708090a0b0c0d0e0f"],
    });
    expect(fits(bytes, "alveo-u50")).toBe(true);
    for (const board of ["alveo-u55c", "alveo-u250", "zedboard", "icebreaker"]) {
      expect(fits(bytes, board), board).toBe(false);
    }
    expect(fits(xclbinFile({ platform: "xilinx:u200:gen3x16:1" }), "alveo-u200")).toBe(true);
    expect(fits(xclbinFile({ platform: "xilinx_u55c_gen3x16_xdma_3" }), "alveo-u50")).toBe(false);
  });

  it.each([
    ["cut off in its header", xclbinFile().subarray(0, 300), "FIRMWARE_TRUNCATED"],
    ["cut off in a section", xclbinFile().subarray(0, 520), "FIRMWARE_TRUNCATED"],
    [
      "with more behind its end",
      Buffer.concat([xclbinFile(), Buffer.from("x")]),
      "FIRMWARE_INVALID",
    ],
    ["for no card", xclbinFile({ platform: "" }), "FIRMWARE_INVALID"],
    ["for a simulator", xclbinFile({ mode: 4 }), "FIRMWARE_INVALID"],
    ["whose section lies outside", xclbinFile({ sectionBytes: 5000 }), "FIRMWARE_INVALID"],
  ])("is refused %s", (_, bytes, reason) => {
    expect(reasonOf(bytes)).toBe(reason);
  });
});

describe("anything else", () => {
  it.each([
    ["nothing", Buffer.alloc(0)],
    ["zeros", Buffer.alloc(4096)],
    ["all ones", Buffer.alloc(4096, 255)],
    ["JSON", Buffer.from('{"a": 1}')],
    ["a comment", Buffer.from("// hello\n// world\n")],
    ["a number", Buffer.from("1111\n")],
  ])("is no bitstream: %s", (_, bytes) => {
    expect(readBitstream(new Uint8Array(bytes))).toBeNull();
  });
});
