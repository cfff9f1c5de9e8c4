import { zipSync } from "fflate";
import type { BoardModel } from "@/boards";
import { findFamily } from "@/boards";

/** Zip knows no time before; all entries have it, so that equal files are equal archives. */
const noTime = new Date(1980, 0, 1);

/** What a board's bitstream still needs: nothing, a vendor's tool that was found, or one that is not here. */
export interface BitstreamNeed {
  /** As people call it: `Vivado`. Null where open tools do all of it. */
  readonly tool: string | null;
  /** Whether the steps of the plan run it. */
  readonly isHere: boolean;
}

/**
 * Who makes a board's bitstream.
 *
 * @param toolVersions Of what the build worker found, by command.
 */
export function bitstreamNeed(
  board: BoardModel,
  toolVersions: Readonly<Record<string, string>>,
): BitstreamNeed {
  const vendor = findFamily(board.part)?.vendor;
  if (!vendor) return { tool: null, isHere: true };
  const commands = vendor.commands(board);
  const isHere = commands.length > 0 && commands.every((command) => command in toolVersions);
  return { tool: vendor.tool(board), isHere };
}

/** One archive of a project's files, in the order of their names. Equal files give equal bytes. */
export function packProject(files: ReadonlyMap<string, string | Uint8Array>): Uint8Array {
  const text = new TextEncoder();
  const entries = [...files]
    .map(
      ([name, content]) =>
        [name, typeof content === "string" ? text.encode(content) : content] as const,
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return zipSync(Object.fromEntries(entries), { level: 9, mtime: noTime });
}
