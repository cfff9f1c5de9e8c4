import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";

export interface TestRedis {
  readonly url: string;
  readonly pid: number;
  /** SIGKILL; the next `start` comes up on the same port with nothing stored. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A real `redis-server` of its own on a free loopback port. */
export async function startRedis(): Promise<TestRedis> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}/0`;
  let folder = "";
  let server: ChildProcess | undefined;
  const redis = {
    url,
    get pid() {
      return server?.pid ?? 0;
    },
    async start() {
      folder = mkdtempSync(join(tmpdir(), "redis-"));
      server = spawn(
        "redis-server",
        ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""],
        { stdio: "ignore" },
      );
      const client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null });
      client.on("error", () => {});
      await client.ping();
      client.disconnect();
    },
    async kill() {
      if (!server || server.exitCode !== null || server.signalCode !== null) return;
      const exited = once(server, "exit");
      server.kill("SIGKILL");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
    stop: () => redis.kill(),
  };
  await redis.start();
  return redis;
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
