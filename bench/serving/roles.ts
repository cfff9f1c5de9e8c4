import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { build } from "esbuild";

export interface Role {
  readonly child: ChildProcess;
  readonly port: number;
  readonly grpcPort?: number;
  readonly metricsPort?: number;
}

const outdir = join(process.cwd(), "node_modules/.cache/boardwalk/bench");
let built: Promise<unknown> | null = null;

/** Starts a file of this folder as a process of its own, bundled as the real processes are; it tells its port. */
export async function startRole(name: string, args: readonly string[] = []): Promise<Role> {
  built ??= build({
    entryPoints: [
      "attack",
      "board",
      "gateway",
      "bare",
      "bare-grpc",
      "device",
      "held",
      "json",
      "many-board",
      "many-gateway",
      "simulated",
    ].map((each) => `bench/serving/${each}.role.ts`),
    outdir,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    packages: "external",
    outExtension: { ".js": ".mjs" },
    logLevel: "error",
  });
  await built;
  const child = fork(join(outdir, `${name}.role.mjs`), args, {
    execArgv: ["--enable-source-maps", ...(process.env["BENCH_PROFILE"] === name ? profile : [])],
  });
  return await new Promise((resolve, reject) => {
    child.once("message", (ports) => resolve({ child, ...(ports as { port: number }) }));
    child.once("exit", (status) => reject(new Error(`${name} ended with ${status}`)));
  });
}

const profile = ["--cpu-prof", "--cpu-prof-dir=.boardwalk/profile"];

/** Ends roles in the order given, each told by its channel. */
export async function stopRoles(roles: readonly Role[]): Promise<void> {
  for (const { child } of roles) {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.disconnect();
    await ended;
  }
}
