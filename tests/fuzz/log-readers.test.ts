import { expect, it } from "vitest";
import { openApi } from "../support/api";
import { followMuch, makeLog } from "./log-readers";
import { fuzz } from "./settings";

// Readers of a log and of events, made by seed: cursors and queries that are none, slow ones, ones that leave and come back. Each gets lines
// in their order or a reason, and a good reader between them gets what it asked for.

openApi();

const count = fuzz.count(120);

it(`readers get lines or a reason: ${count} of seed ${fuzz.seed}`, async () => {
  const { faults, told } = await followMuch(await makeLog(), count);
  console.log(`readers: ${JSON.stringify(Object.fromEntries(told))}`);
  expect(faults).toEqual([]);
}, 600_000);
