import { afterAll, beforeAll, expect, it } from "vitest";
import { fuzz } from "./settings";
import { type OddServer, startOddServer } from "./sources/odd-server";
import { fetchMuch } from "./sources/try-sources";

// Addresses of models made by seed, and a server that leads on to such and answers as no server should: each fetch ends with a file or a
// reason, nothing is left over, and nobody connects to where models are not fetched from. `tests/matrix/odd-sources.test.ts` fetches
// many more.

const count = fuzz.count(300);
let server: OddServer;

beforeAll(async () => {
  server = await startOddServer();
});
afterAll(() => server.close());

it(`fetches end with a file or a reason: ${count} of seed ${fuzz.seed}`, async () => {
  const { faults, told } = await fetchMuch(server, count);
  expect(faults).toEqual([]);
  if (fuzz.case !== null) return;
  for (const word of ["fetched", "URL_NOT_ALLOWED", "SOURCE_NOT_ALLOWED"]) {
    expect(told.get(word) ?? 0, word).toBeGreaterThan(0);
  }
});
