import type { BoardModel } from "../../schema";
import type { ReadBack } from "../family";
import { pllOnPad } from "./clock";

/** The program of Project IceStorm that writes a bitstream as Verilog. */
export const checker = "icebox_vlog";
const files = { unpacked: "unpacked.asc", verilog: "chip.v" } as const;

/**
 * The bitstream of an iCE40, unpacked and written as Verilog by Project IceStorm. `icebox_vlog` drops multipliers and the
 * large memories of the UP5K without a word: designs with them are not read back.
 */
export function readBack(
  {
    pins,
    bitstream,
    chipPackage,
  }: { readonly pins: string; readonly bitstream: string; readonly chipPackage: string },
  board: BoardModel,
  clockHz: number,
): ReadBack {
  const pll = pllOnPad(board, clockHz);
  return {
    steps: [
      {
        stage: "simulate",
        name: "unpack",
        command: "iceunpack",
        args: [bitstream, files.unpacked],
        reads: [bitstream],
        produces: [files.unpacked],
      },
      {
        stage: "simulate",
        name: "read the bitstream back",
        command: checker,
        args: ["-s", "-d", chipPackage, "-p", pins, files.unpacked],
        reads: [pins, files.unpacked],
        produces: [files.verilog],
      },
    ],
    verilog: files.verilog,
    top: "chip",
    // It leaves the pad of such a PLL open.
    repairs: pll === null ? [] : [`connect -port PLL_${pll} PACKAGEPIN \\clock`],
  };
}
