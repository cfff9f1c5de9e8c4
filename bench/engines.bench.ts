import { parseArgs } from "node:util";
import { isAppError } from "@/lib/common/errors";
import { buildWith, type EngineFigures } from "./engines/build-with";

/**
 * The same networks through every engine that makes firmware, on the same boards, with the same tools behind: cells, flip-flops,
 * multipliers, cycles, clock, seconds, agreement with the float model and rows that the placed netlist answered right. Needs
 * `npm run setup -- hls4ml` and `npm run setup -- ecp5`; BondMachine's rows need its tools. Arguments: what rows' names begin with,
 * such as `iris-mlp` or `iris-mlp/ulx3s-25f/hls4ml`; without any, all of them, which takes hours. `--precision smallest` is the
 * option of that name of `boardwalk` and `hls4ml`.
 */
const nets = ["banknote-mlp", "iris-mlp", "digits-mlp", "jets-shape-mlp"] as const;
const boards = ["ice40-hx8k-evn", "ulx3s-25f", "ulx3s-85f"] as const;
const engines = ["boardwalk", "hls4ml", "bondmachine"] as const;

const { positionals: asked, values } = parseArgs({
  allowPositionals: true,
  options: { precision: { type: "string" } },
});
const { precision } = values;
const optionsOf = (engine: string) =>
  precision === undefined || engine === "bondmachine" ? {} : { precision };
const isAsked = (name: string) => asked.length === 0 || asked.some((each) => name.startsWith(each));

const columns =
  "network, board, engine, cells, flip-flops, multipliers, cycles, cycles a row, reached, clock, seconds, agreement, proof".split(
    ", ",
  );
const print = (cells: readonly string[]) => console.log(`| ${cells.join(" | ")} |`);
print(columns);
print(columns.map(() => "---"));
for (const net of nets) {
  for (const board of boards) {
    for (const engine of engines) {
      if (!isAsked(`${net}/${board}/${engine}`)) continue;
      print([net, board, engine, ...(await rowOf(net, board, engine))]);
    }
  }
}

async function rowOf(net: string, board: string, engine: string): Promise<readonly string[]> {
  try {
    return inWords(await buildWith(net, board, engine, optionsOf(engine)));
  } catch (error) {
    // What does not fit, or whose tools are not here, is a row too.
    if (!isAppError(error) || !["MODEL_TOO_LARGE", "TOOL_MISSING"].includes(error.reason ?? ""))
      throw error;
    return [error.message, ...Array<string>(columns.length - 4).fill("")];
  }
}

function inWords(figures: EngineFigures): readonly string[] {
  return [
    figures.cells.toLocaleString("en"),
    figures.flipFlops.toLocaleString("en"),
    String(figures.multipliers),
    String(figures.cycles),
    String(figures.cyclesPerRow),
    `${figures.achievedMhz.toFixed(1)} MHz`,
    `${figures.clockHz / 1e6} MHz`,
    figures.seconds.toFixed(0),
    `${(figures.agreement * 100).toFixed(1)} %`,
    `${figures.vectors} rtl, ${figures.proven} netlist, ${figures.mismatches} wrong`,
  ];
}
