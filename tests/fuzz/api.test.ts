import { describe, expect, it } from "vitest";
import { database } from "@/lib/server/db";
import { call, openApi } from "../support/api";
import { iris } from "../support/domain";
import { operationsOf } from "./api-requests";
import { askMany } from "./ask-many";

// Requests made from the API's own description, by seed, to the real handlers over a real database: none may be our fault, and none
// may hang. `tests/matrix/api-over-http.test.ts` sends many more through a whole installation.

const count = Number(process.env["FUZZ_COUNT"] ?? 500);
const seed = Number(process.env["FUZZ_SEED"] ?? 2026);

/** A worker has to answer these, and there is none. */
const forWorkers = new Set(["/models/sources", "/models/inspect"]);

openApi();

describe(`${count} requests from seed ${seed}`, () => {
  it("are answered or refused in words, and leave the API as it was", async () => {
    const known = await makeThings();
    const operations = operationsOf().filter(({ path }) => !forWorkers.has(path));
    const verdicts = await askMany({
      ...{ count, seed, operations, known },
      send: ({ method, target, headers, body }, signal) =>
        call(method, target, {
          headers,
          signal,
          ...(body ? { body: Uint8Array.from(body) } : {}),
        }),
    });
    console.log(
      `answers: ${JSON.stringify(Object.fromEntries(verdicts.statuses))}; slowest: ${verdicts.slowest.ms.toFixed(0)} ms, ${verdicts.slowest.request}`,
    );
    expect(verdicts.faults.slice(0, 10)).toEqual([]);
    expect(verdicts.statuses.get(200) ?? 0).toBeGreaterThan(count / 50);
    expect(verdicts.statuses.get(404) ?? 0).toBeGreaterThan(count / 50);
    expect((await call("GET", "/builds")).status).toBe(200);
  }, 600_000);
});

/** A few of what there is, with their names and ids. */
async function makeThings(): Promise<string[]> {
  const names = ["fuzz-a", "fuzz-b", "fuzz-c"];
  for (const name of names) {
    const answer = await call("POST", "/endpoints", { json: iris(name) });
    expect(answer.status).toBe(202);
  }
  const builds = await database().build.findMany({ select: { id: true } });
  return [
    ...names,
    ...builds.map(({ id }) => `bld_${id}`),
    "icebreaker",
    "onnx",
    "boardwalk",
    "cpu",
    "simulated",
    "s3://boardwalk-samples/iris-mlp/model.onnx",
  ];
}
