import type { Contents } from "./contents";
import { getFamily, type TableOfFour } from "./families";
import type { Filling } from "./fill-blanks";
import { type Identity, identityTables } from "./links/uart";
import type { BoardModel } from "./schema";
import type { ClockModules } from "./top";

/**
 * What stands in for the blanks of a design that was mapped for a board.
 *
 * @param clock Null for a design whose clock comes from outside.
 */
export function fillingOf(
  board: BoardModel,
  identity: Identity,
  clock: ClockModules | null,
): Filling {
  const { tableOfFour, levelCells } = getFamily(board.part);
  const tables = identityTables(identity).map(
    (bits, index) => [`identity_table ${index}`, tableContents(tableOfFour, bits)] as const,
  );
  return { blanks: { ...clock, ...Object.fromEntries(tables) }, levels: levelCells ?? null };
}

/** A table of four inputs with these bits, that of address 0 first. */
function tableContents(
  { type, contents, inputs, output, asText }: TableOfFour,
  bits: string,
): Contents {
  const highestFirst = [...bits].reverse().join("");
  const text = `0x${Number.parseInt(highestFirst, 2).toString(16).toUpperCase().padStart(4, "0")}`;
  const table = {
    name: "table",
    type,
    parameters: { [contents]: asText ? text : { bits: highestFirst } },
    inputs: Object.fromEntries(inputs.map((input, at) => [input, `address[${at}]`])),
    outputs: { [output]: "data" },
  };
  return { cells: [table], wires: {} };
}
