import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { listBoardModels } from "@/boards";
import { overviewOf } from "./board-overview";

const page = readFileSync("docs/boards.md", "utf8");
/** Lines of the table of all boards, without the blanks that its columns are aligned by. */
const lines = page
  .slice(page.indexOf("## Every board"), page.indexOf("## The page of a board"))
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .map((line) => line.replaceAll(/\s*\|\s*/g, "|"));

describe("the page of boards", () => {
  it("says of every board of the catalogue who makes its bitstream, and nothing of others", () => {
    const wanted = listBoardModels()
      .filter(({ part }) => part.flow.kind !== "cpu")
      .map((board) => {
        const { bitstream, link, missing } = overviewOf(board);
        return `|${[board.name, `\`${board.id}\``, bitstream, link, missing.join("; ")].join("|")}|`;
      });
    // The lines to paste, where the page is behind.
    expect(lines.slice(2)).toEqual(wanted);
  });
});
