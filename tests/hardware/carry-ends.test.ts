import { describe, expect, it } from "vitest";
import { getBoardModel, getFamily } from "@/boards";
import { cellModelsOf } from "@/boards/cell-models";
import { runTool, textOf } from "./support/tools";

/** Sums and differences of odd and even widths, and a comparison that reads the carry of its chain. */
const source = `
module top (input [8:0] a, b, output [8:0] sum, output [9:0] difference, output below);
  assign sum = a + b;
  assign difference = a - b;
  assign below = a < b;
endmodule
`;

describe("carry chains on ECP5", { timeout: 120_000 }, () => {
  const { part } = getBoardModel("ulx3s-25f");
  const { synthesis, modelledCells } = getFamily(part);

  async function mapped() {
    const script = `read_verilog source.v\n${synthesis(part, "top")}\n`;
    const { files } = await runTool("yosys", ["-q", "-s", "map.ys"], {
      "source.v": source,
      "map.ys": script,
    });
    return textOf(files, "mapped.json");
  }

  it("leave open the carry that nothing reads, and keep the others", async () => {
    const { modules } = JSON.parse(await mapped()) as {
      modules: Record<
        string,
        { cells: Record<string, { type: string; connections: Record<string, unknown[]> }> }
      >;
    };
    const cells = Object.values(modules["top"]?.cells ?? {});
    const read = new Set(
      cells.flatMap(({ connections }) =>
        Object.entries(connections).flatMap(([port, bits]) => (port === "COUT" ? [] : bits)),
      ),
    );
    const carries = cells.flatMap(({ type, connections }) =>
      type === "CCU2C" ? (connections["COUT"] ?? []) : [],
    );
    const open = carries.filter((bit) => bit === "x");
    expect(open).toHaveLength(2);
    for (const bit of carries) expect(bit === "x" || read.has(bit)).toBe(true);
  });

  it("still add, subtract and compare", async () => {
    const prove = [
      "read_json design.json",
      "delete =* =top %d",
      modelledCells,
      "read_verilog -defer cells.v",
      "hierarchy -top top",
      "proc",
      "flatten",
      "rename top chip",
      "read_verilog source.v",
      "proc",
      "miter -equiv -flatten -make_outputs top chip miter",
      "sat -verify -prove trigger 0 miter",
    ];
    const files = { "design.json": await mapped(), "cells.v": cellModelsOf(part) };
    const args = ["-p", prove.join("; ")];
    await expect(runTool("yosys", args, { ...files, "source.v": source })).resolves.toBeDefined();
    const wrong = source.replace("a - b", "a - b + 1");
    await expect(runTool("yosys", args, { ...files, "source.v": wrong })).rejects.toThrow(
      "proof did fail",
    );
  });
});
