import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import { found, startWithModels } from "@/tests/clients/gateway";
import { snippetCases, snippetFor } from "@/tests/clients/snippets";

// What the page gives to copy, run as it stands by Triton's own client and by grpcurl.

const run = promisify(execFile);
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startWithModels();
});
afterAll(() => gateway.close());

describe("what is copied from the page", () => {
  const python = (["Python", "Python gRPC"] as const).flatMap((language) =>
    snippetCases.map((each) => ({ language, ...each })),
  );
  it.each(python)("runs as $language: $model", async ({ language, ...each }) => {
    const snippet = snippetFor(language, each, gateway);
    const { stdout } = await run(found("TRITON_PYTHON"), ["-c", snippet]);
    for (const word of each.says) expect(stdout.replaceAll("\\'", "'")).toContain(word);
  });

  it.each(snippetCases)("runs as a line of grpcurl: $model", async (each) => {
    const snippet = snippetFor("grpcurl", each, gateway).replace(/^grpcurl/, found("GRPCURL"));
    const { stdout } = await run("sh", ["-c", snippet]);
    const { outputs } = JSON.parse(stdout) as { outputs: { name: string }[] };
    expect(outputs[0]?.name).toBe(each.output);
  });
});
