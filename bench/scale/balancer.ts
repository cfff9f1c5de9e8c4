import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Role } from "@/bench/serving/roles";
import { findOnPath } from "@/lib/server/process";
import { freePort } from "@/scripts/lib/ports.mjs";

/** One address of several gateways. */
export interface Balancer {
  readonly pid: number;
  readonly port: number;
  readonly grpcPort: number;
  stop(): Promise<void>;
}

export const hasBalancer = findOnPath("haproxy") !== null;

/** Starts HAProxy by the file that the documentation gives, with these gateways instead of its two. */
export async function startBalancer(gateways: readonly Role[]): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), "bw-balancer-"));
  const [port, grpcPort] = [await freePort(), await freePort()];
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, configOf(gateways, port, grpcPort));
  const child = spawn("haproxy", ["-f", file], { stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await untilOpen(port);
  return {
    pid: child.pid ?? 0,
    port,
    grpcPort,
    async stop() {
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configOf(gateways: readonly Role[], port: number, grpcPort: number): string {
  const serversOf = (backend: string) =>
    gateways.map((gateway, n) =>
      backend === "http-gateways"
        ? `  server gateway-${n} 127.0.0.1:${gateway.port}`
        : `  server gateway-${n} 127.0.0.1:${gateway.grpcPort} proto h2 port ${gateway.port} check-proto h1`,
    );
  return readFileSync("docs/haproxy.cfg", "utf8")
    .split("\n")
    .filter((line) => !line.startsWith("  server "))
    .flatMap((line) => [line, ...(line.startsWith("backend ") ? serversOf(line.slice(8)) : [])])
    .join("\n")
    .replace("127.0.0.1:9000", `127.0.0.1:${port}`)
    .replace("127.0.0.1:9001", `127.0.0.1:${grpcPort}`);
}

async function untilOpen(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.on("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (isOpen) return;
    await sleep(25);
  }
  throw new Error("HAProxy does not listen");
}
