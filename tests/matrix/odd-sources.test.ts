import { expect, it } from "vitest";
import { outcomeLine } from "@/tests/fuzz/each-case";
import { fuzz } from "@/tests/fuzz/settings";
import { startOddServer } from "@/tests/fuzz/sources/odd-server";
import { fetchMuch } from "@/tests/fuzz/sources/try-sources";

// The addresses of `tests/fuzz/sources.test.ts`, many more of them.

const count = fuzz.count(5000);

it(`fetches end with a file or a reason: ${count} of seed ${fuzz.seed}`, async () => {
  const server = await startOddServer();
  const outcome = await fetchMuch(server, count);
  console.log(`sources: ${outcomeLine(outcome)}`);
  expect(outcome.faults).toEqual([]);
  server.close();
});
