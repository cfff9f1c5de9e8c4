import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import { startWithModels } from "./gateway";
import { snippetCases, snippetFor } from "./snippets";

// What the page gives to copy, run as it stands by the programs that it is for. `tests/judges/clients` runs the rest.

const run = promisify(execFile);
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startWithModels();
});
afterAll(() => gateway.close());

describe("what is copied from the page", () => {
  it.each(snippetCases)("runs as a line of a shell: $model", async (each) => {
    const { stdout } = await run("sh", ["-c", snippetFor("curl", each, gateway)]);
    const { outputs } = JSON.parse(stdout) as { outputs: { name: string }[] };
    expect(outputs[0]?.name).toBe(each.output);
    for (const word of each.says) expect(stdout).toContain(word.replaceAll('"', '\\"'));
  });

  // JavaScript reads integers beyond 2^53 as rounded numbers, whoever answers them.
  const exact = snippetCases.filter(({ model }) => model !== "echo_int64");
  it.each(exact)("runs as TypeScript: $model", async (each) => {
    const snippet = snippetFor("TypeScript", each, gateway);
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", snippet]);
    for (const word of each.says) expect(stdout).toContain(word);
  });
});
