import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { outcomeLine } from "@/tests/fuzz/each-case";
import { startEvilBoardServer } from "@/tests/fuzz/frames/evil-board-server";
import { askMuch, sayMuch, startGoodBoard } from "@/tests/fuzz/frames/try-frames";
import { fuzz } from "@/tests/fuzz/settings";

// The frames of `tests/fuzz/frames.test.ts`, many more of them.

const count = fuzz.count(5000);

it(`an evil gateway ends nothing but its own connections: ${count} of seed ${fuzz.seed}`, async () => {
  const board = await startGoodBoard();
  const outcome = await sayMuch(board, count);
  console.log(`a board server said: ${outcomeLine(outcome)}`);
  expect(outcome.faults).toEqual([]);
  await board.close();
});

it(`an evil board server ends nothing but its own calls: ${count} of seed ${fuzz.seed}`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "bw-ff-"));
  const evil = await startEvilBoardServer(join(folder, "s"));
  const outcome = await askMuch(evil, join(folder, "s"), count);
  console.log(`a gateway said: ${outcomeLine(outcome)}`);
  expect(outcome.faults).toEqual([]);
  evil.close();
  rmSync(folder, { recursive: true, force: true });
});
