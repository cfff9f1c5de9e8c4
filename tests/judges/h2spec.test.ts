import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import { found } from "@/tests/clients/gateway";
import { startTestGateway } from "@/tests/support/gateway";

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startTestGateway([]);
});
afterAll(() => gateway.close());

describe("the gRPC port", () => {
  it("is HTTP/2 as h2spec judges it", async () => {
    const args = ["-h", "127.0.0.1", "-p", String(gateway.grpcPort), "-o", "2"];
    const { stdout } = await promisify(execFile)(found("H2SPEC"), args, {
      maxBuffer: 2 ** 24,
    }).catch((error: { stdout: string }) => error);
    const [, failures = ""] = stdout.split("Failures:");
    // It asks by GET, which is answered before a stream could count; the limit is tested in tests/gateway/http2.test.ts.
    const failed = [...failures.matchAll(/× \d+: (.*)/g)].map(([, text]) => text);
    expect(failed.filter((text) => !text?.includes("concurrent stream limit"))).toEqual([]);
    expect(stdout).toMatch(/14\d tests, 1[34]\d passed/);
  }, 60_000);
});
