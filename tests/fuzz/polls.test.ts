import { expect, it } from "vitest";
import { openApi } from "../support/api";
import { reportMuch } from "./polls";
import { fuzz } from "./settings";

// Reports made by seed, signed by a board server that is known and evil: each is taken or refused for a reason, and good ones between them
// are answered.

openApi();

const count = fuzz.count(100);

it(`reports are taken or refused for a reason: ${count} of seed ${fuzz.seed}`, async () => {
  const { faults, told } = await reportMuch(count);
  console.log(`reports: ${JSON.stringify(Object.fromEntries(told))}`);
  expect(faults).toEqual([]);
}, 600_000);
