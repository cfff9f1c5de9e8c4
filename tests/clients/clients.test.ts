import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import { startTestGateway } from "@/tests/support/gateway";
import { type RealBoard, startRealBoard } from "@/tests/support/real-board";
import { serveRealModels } from "@/tests/support/real-models";

// Programs that other people wrote, as they come from the package index.

const run = promisify(execFile);
const paused = new Set<string>();
let ring = (): void => {};
let board: RealBoard;
let gateway: Gateway;

beforeAll(async () => {
  board = await startRealBoard();
  const endpoints = await serveRealModels(board);
  gateway = await startTestGateway(endpoints, {
    load: async () => ({
      endpoints: endpoints.map((each) =>
        paused.has(each.name) ? { ...each, state: "paused" as const } : each,
      ),
    }),
    listen: (onRing) => {
      ring = onRing;
      return { close: async () => {} };
    },
    control: {
      async setPaused(name, value) {
        if (value) paused.add(name);
        else paused.delete(name);
        ring();
        return endpoints.some((each) => each.name === name);
      },
    },
  });
});
afterAll(async () => {
  await gateway.close();
  await board.close();
});

function python(variable: string): string {
  const path = process.env[variable];
  if (!path) throw new Error(`${variable} is not set: run the tests with \`npm test\`.`);
  return path;
}

describe("unmodified clients", () => {
  it("91 tritonclient over HTTP, blocking and asynchronous", async () => {
    const { stdout } = await run(python("TRITON_PYTHON"), [
      "tests/clients/triton_http.py",
      `127.0.0.1:${gateway.httpPort}`,
    ]);
    expect(stdout.trim()).toBe("ok");
  });

  it("91 and 94 tritonclient over gRPC: blocking, asynchronous, streaming, as SONIC calls", async () => {
    const { stdout } = await run(python("TRITON_PYTHON"), [
      "tests/clients/triton_grpc.py",
      `127.0.0.1:${gateway.grpcPort}`,
    ]);
    expect(stdout.trim()).toBe("ok");
  });

  it("92 the KServe SDK: REST in V1 and V2, and gRPC", async () => {
    const { stdout } = await run(python("KSERVE_PYTHON"), [
      "tests/clients/kserve_sdk.py",
      `127.0.0.1:${gateway.httpPort}`,
      `127.0.0.1:${gateway.grpcPort}`,
    ]);
    expect(stdout.trim().split("\n").at(-1)).toBe("ok");
  });
});
