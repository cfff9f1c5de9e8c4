import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type EvilBoardServer, startEvilBoardServer } from "./frames/evil-board-server";
import { askMuch, type GoodBoard, sayMuch, startGoodBoard } from "./frames/try-frames";
import { fuzz } from "./settings";

// Frames made by seed on the tensor channel, from a gateway that is evil and from a board server that is: the other side refuses them or
// ends the connection, goes on, and answers the good calls between them. `tests/matrix/odd-frames.test.ts` sends many more.

const folder = mkdtempSync(join(tmpdir(), "bw-ff-"));
const count = fuzz.count(200);
let board: GoodBoard;
let evil: EvilBoardServer;

beforeAll(async () => {
  board = await startGoodBoard();
  evil = await startEvilBoardServer(join(folder, "s"));
});
afterAll(async () => {
  evil.close();
  await board.close();
  rmSync(folder, { recursive: true, force: true });
});

it(`an evil gateway ends nothing but its own connections: ${count} of seed ${fuzz.seed}`, async () => {
  const { faults } = await sayMuch(board, count);
  expect(faults).toEqual([]);
});

it(`an evil board server ends nothing but its own calls: ${count} of seed ${fuzz.seed}`, async () => {
  const { faults, told } = await askMuch(evil, join(folder, "s"), count);
  expect(faults).toEqual([]);
  expect(told.get("answered") ?? 0).toBeGreaterThan(0);
});
