import { expect, it } from "vitest";
import { getBoardModel, getFamily } from "@/boards";
import { cellModelsOf } from "@/boards/cell-models";
import { runTool, textOf } from "./support/tools";

/** Constants with single bits, runs of bits and the sign, on odd and even widths. */
const constants = ["9'h001", "10'h2d3", "7'h7f", "12'h555", "8'haa", "1'h1", "2'h3", "11'h400"];
const widthOf = (constant: string) => Number.parseInt(constant, 10);

const sums = constants
  .map((constant, index) => {
    const width = widthOf(constant);
    const ports = `.a(a${index}), .b(b${index}), .y(y${index})`;
    return `  sum_with_constant #(.WIDTH(${width}), .CONSTANT(${constant})) sum_${index} (${ports});`;
  })
  .join("\n");
const ports = constants
  .map((constant, index) => {
    const range = `[${widthOf(constant) - 1}:0]`;
    return `input ${range} a${index}, input ${range} b${index}, output ${range} y${index}`;
  })
  .join(", ");
const source = (sum: string) => `
module sum_with_constant #(parameter WIDTH = 1, parameter [WIDTH-1:0] CONSTANT = 0) (
  input [WIDTH-1:0] a, b, output [WIDTH-1:0] y
);
  assign y = ${sum};
endmodule
module top (${ports});
${sums}
endmodule
`;

it("an ECP5 sums two numbers and a constant in one carry chain", async () => {
  const { part } = getBoardModel("ulx3s-25f");
  const { synthesis, modelledCells } = getFamily(part);
  const right = source("a + b + CONSTANT");
  const { files } = await runTool("yosys", ["-q", "-s", "map.ys"], {
    "source.v": right,
    "map.ys": `read_verilog source.v\n${synthesis(part, "top")}\ntee -q -o stat.json stat -json\n`,
  });
  const stat = JSON.parse(textOf(files, "stat.json")) as {
    design: { num_cells_by_type: Record<string, number> };
  };
  const chains = constants.map((constant) => Math.ceil(widthOf(constant) / 2));
  expect(stat.design.num_cells_by_type).toEqual({
    CCU2C: chains.reduce((sum, cells) => sum + cells),
  });

  const prove = [
    "read_json mapped.json",
    "delete =* =top %d",
    modelledCells,
    "read_verilog -defer cells.v",
    "hierarchy -top top",
    "proc",
    "flatten",
    "design -stash mapped",
    "read_verilog source.v",
    "hierarchy -top top",
    "proc",
    "flatten",
    "design -stash source",
    "design -copy-from source -as top top",
    "design -copy-from mapped -as chip top",
    "miter -equiv -flatten -make_outputs top chip miter",
    "sat -verify -prove trigger 0 miter",
  ];
  const given = { "mapped.json": textOf(files, "mapped.json"), "cells.v": cellModelsOf(part) };
  const args = ["-p", prove.join("; ")];
  await expect(runTool("yosys", args, { ...given, "source.v": right })).resolves.toBeDefined();
  const wrong = source("a + b - CONSTANT");
  await expect(runTool("yosys", args, { ...given, "source.v": wrong })).rejects.toThrow(
    "proof did fail",
  );
}, 120_000);
