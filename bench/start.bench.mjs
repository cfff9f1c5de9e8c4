// Minutes from a fresh clone to the first proven prediction, and seconds when it starts again.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../scripts/lib/home.mjs";
import { freePort } from "../scripts/lib/ports.mjs";

const folder = mkdtempSync(join(tmpdir(), "bw-start-"));
const clone = join(folder, "boardwalk");
const ports = await Promise.all([1, 2, 3, 4].map(() => freePort()));
const env = {
  ...process.env,
  PORTAL_PORT: String(ports[0]),
  GATEWAY_HTTP_PORT: String(ports[1]),
  GATEWAY_GRPC_PORT: String(ports[2]),
  GATEWAY_METRICS_PORT: String(ports[3]),
};
for (const name of ["BOARDWALK_HOME", "BOARDWALK_BUNDLES", "TOOLS_DIR"]) delete env[name];

function once(title) {
  const started = Date.now();
  const { status } = spawnSync("npm", ["start", "--", "--once"], {
    cwd: clone,
    env,
    stdio: "inherit",
  });
  const seconds = (Date.now() - started) / 1000;
  if (status !== 0) throw new Error(`${title} ended with status ${status}`);
  return seconds;
}

try {
  spawnSync("git", ["clone", "--quiet", root, clone], { stdio: "inherit" });
  const cold = once("the first start");
  const warm = once("the second start");
  process.stdout.write(`\ncold start: ${(cold / 60).toFixed(2)} min (${cold.toFixed(0)} s)\n`);
  process.stdout.write(
    `next start: ${warm.toFixed(1)} s, ${(cold / warm).toFixed(1)} times faster\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
