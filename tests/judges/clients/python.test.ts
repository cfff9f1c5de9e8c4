import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import { found, startWithModels } from "@/tests/clients/gateway";

// Programs that other people wrote, as they come from the package index.

const run = promisify(execFile);
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startWithModels();
});
afterAll(() => gateway.close());

describe("unmodified clients", () => {
  it("91 tritonclient over HTTP, blocking and asynchronous", async () => {
    const { stdout } = await run(found("TRITON_PYTHON"), [
      "tests/judges/clients/triton_http.py",
      `127.0.0.1:${gateway.httpPort}`,
    ]);
    expect(stdout.trim()).toBe("ok");
  });

  it("91 and 94 tritonclient over gRPC: blocking, asynchronous, streaming, as SONIC calls", async () => {
    const { stdout } = await run(found("TRITON_PYTHON"), [
      "tests/judges/clients/triton_grpc.py",
      `127.0.0.1:${gateway.grpcPort}`,
    ]);
    expect(stdout.trim()).toBe("ok");
  });

  it("92 the KServe SDK: REST in V1 and V2, and gRPC", async () => {
    const { stdout } = await run(found("KSERVE_PYTHON"), [
      "tests/judges/clients/kserve_sdk.py",
      `127.0.0.1:${gateway.httpPort}`,
      `127.0.0.1:${gateway.grpcPort}`,
    ]);
    expect(stdout.trim().split("\n").at(-1)).toBe("ok");
  });
});
