/**
 * Builds and proves a small model for boards of the catalogue and prints a table: `npm run matrix` takes one board of each
 * part that open tools build for, and of each family and link of vendors' tools; `npm run matrix -- --all` every board,
 * `npm run matrix -- ID…` some. Status 1 if one fails.
 */
import { type BoardModel, getBoardModel, getFamily, listBoardModels } from "@/boards";
import { isAppError } from "@/lib/common/errors";
import { buildForBoard } from "./boards/build-for-board";

const wanted = process.argv.slice(2);

function chosen(): readonly BoardModel[] {
  const fpgas = listBoardModels().filter(({ part }) => part.flow.kind !== "cpu");
  if (wanted.includes("--all")) return fpgas;
  if (wanted.length > 0) return wanted.map(getBoardModel);
  const kinds = new Map<string, BoardModel>();
  for (const board of fpgas) {
    const { family, resources } = board.part;
    const kind = getFamily(board.part).vendor
      ? `${family} ${board.links[0]?.kind}`
      : `${family} ${JSON.stringify(resources)}`;
    if (!kinds.has(kind)) kinds.set(kind, board);
  }
  return [...kinds.values()];
}

const columns = [
  "board",
  "model",
  "tools",
  "bitstream",
  "cycles",
  "clock",
  "reached",
  "proof",
] as const;
type Row = Readonly<Record<(typeof columns)[number], string>>;

async function rowOf(board: BoardModel): Promise<{ readonly row: Row; readonly failed: boolean }> {
  const { vendor, tools } = getFamily(board.part);
  const base = {
    board: board.id,
    tools: vendor ? `yosys, ${vendor.tool(board)}` : tools.join(", "),
  };
  try {
    const built = await buildForBoard(board);
    return {
      failed: false,
      row: {
        ...base,
        model: built.model,
        bitstream:
          built.bitstreamBytes === null
            ? `needs ${built.needs}; project of ${built.projectBytes} bytes`
            : `${built.bitstreamBytes} bytes`,
        cycles: String(built.cycles),
        clock: `${built.clockHz / 1e6} MHz`,
        reached: built.achievedMhz === null ? "not placed" : `${built.achievedMhz.toFixed(1)} MHz`,
        proof: `${built.proven} rows`,
      },
    };
  } catch (error) {
    const why = isAppError(error) ? error.message : String(error);
    const nothing = { model: "", cycles: "", clock: "", reached: "", proof: "FAILED" };
    return { failed: true, row: { ...base, ...nothing, bitstream: why.split("\n")[0] ?? "" } };
  }
}

const print = (row: Row) =>
  process.stdout.write(`| ${columns.map((column) => row[column]).join(" | ")} |\n`);

print(Object.fromEntries(columns.map((column) => [column, column])) as unknown as Row);
print(Object.fromEntries(columns.map((column) => [column, "---"])) as unknown as Row);
let failures = 0;
for (const board of chosen()) {
  const { row, failed } = await rowOf(board);
  print(row);
  if (failed) failures += 1;
}
process.exit(failures > 0 ? 1 : 0);
