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

/**
 * Starts a file of this folder as a process of its own, bundled as the real processes are; it tells its port.
 *
 * @param flags More of Node's own.
 */
export async function startRole(
  name: string,
  args: readonly string[] = [],
  flags: readonly string[] = [],
): Promise<Role> {
  built ??= build({
    entryPoints: [
      "attack",
      "board",
      "gateway",
      "bare",
      "bare-grpc",
      "device",
      "grpc-js",
      "held",
      "json",
      "many-board",
      "many-gateway",
      "node-http2",
      "simulated",
      "wire",
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
    execArgv: ["--enable-source-maps", ...flags],
  });
  return await new Promise((resolve, reject) => {
    child.once("message", (ports) => resolve({ child, ...(ports as { port: number }) }));
    child.once("exit", (status) => reject(new Error(`${name} ended with ${status}`)));
  });
}

/** Ends roles in the order given, each told by its channel. */
export async function stopRoles(roles: readonly Role[]): Promise<void> {
  for (const { child } of roles) {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.disconnect();
    await ended;
  }
}
