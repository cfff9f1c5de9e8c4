import { fail } from "@/lib/common/errors";
import type { BoardModel, Part } from "../../schema";

/** Arguments of `nextpnr-ice40` for a part: the same files and seed give the same placement. */
export function nextpnrArgs(
  part: Part,
  options: {
    readonly json: string;
    readonly pcf: string;
    readonly asc: string;
    readonly report: string;
    readonly clockHz: number;
    readonly seed?: number;
  },
): string[] {
  const { flow } = part;
  if (flow.kind !== "icestorm") throw fail("FLOW_UNSUPPORTED", `${part.name} is no iCE40.`);
  return [
    `--${flow.device}`,
    ...["--package", flow.package],
    ...["--json", options.json],
    ...["--pcf", options.pcf],
    ...["--asc", options.asc],
    ...["--report", options.report],
    ...["--freq", String(options.clockHz / 1e6)],
    ...["--seed", String(options.seed ?? 1)],
    "--timing-allow-fail",
  ];
}

/** The Yosys command that maps a design onto a part. */
export function synthCommand(part: Part, top: string, json: string): string {
  const { flow } = part;
  if (flow.kind !== "icestorm") throw fail("FLOW_UNSUPPORTED", `${part.name} is no iCE40.`);
  return ["synth_ice40", ...flow.synthArgs, "-top", top, "-json", json].join(" ");
}

/**
 * The clocks to try, highest first: the board's standard clocks not above `highestHz`, and at least its slowest.
 */
export function clockLadder(board: BoardModel, highestHz: number): readonly number[] {
  const clocks = [...board.standardClocksHz].sort((a, b) => b - a);
  const rungs = clocks.filter((hz) => hz <= highestHz);
  return rungs.length > 0 ? rungs : clocks.slice(-1);
}
