import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { openHome } from "@/scripts/lib/home.mjs";
import { freePort } from "@/scripts/lib/ports.mjs";
import { findRedis } from "@/scripts/setup/redis.mjs";

export interface TestRedis {
  readonly url: string;
  readonly pid: number;
  /** SIGKILL; the next `start` comes up on the same port with nothing stored. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A real Redis of its own, the one that set-up finds, on a free loopback port. */
export async function startRedis(): Promise<TestRedis> {
  const { command } = await findRedis(openHome());
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
        command,
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
