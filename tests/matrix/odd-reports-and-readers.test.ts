import { expect, it } from "vitest";
import { outcomeLine } from "@/tests/fuzz/each-case";
import { followMuch, makeLog } from "@/tests/fuzz/log-readers";
import { reportMuch } from "@/tests/fuzz/polls";
import { fuzz } from "@/tests/fuzz/settings";
import { openApi } from "@/tests/support/api";

// The reports of `tests/fuzz/polls.test.ts` and the readers of `tests/fuzz/log-readers.test.ts`, many more of them.

openApi();

const count = fuzz.count(5000);

it(`reports are taken or refused for a reason: ${count} of seed ${fuzz.seed}`, async () => {
  const outcome = await reportMuch(count);
  console.log(`reports: ${outcomeLine(outcome)}`);
  expect(outcome.faults).toEqual([]);
}, 3_600_000);

it(`readers get lines or a reason: ${count} of seed ${fuzz.seed}`, async () => {
  const outcome = await followMuch(await makeLog(), count);
  console.log(`readers: ${outcomeLine(outcome)}`);
  expect(outcome.faults).toEqual([]);
}, 3_600_000);
