import { cpSync, existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Gives what the tools of one suite made to the suites that begin after it. Several may do so at once. */
export function handOverSteps(own: string): void {
  const shared = process.env["STEP_CACHE_DIR"];
  if (shared === undefined || !existsSync(own)) return;
  for (const key of readdirSync(own)) {
    const place = join(shared, key);
    if (key.endsWith(".part") || existsSync(place)) continue;
    const part = `${place}.${process.pid}.part`;
    cpSync(join(own, key), part, { recursive: true });
    try {
      renameSync(part, place);
    } catch {
      // Another suite was faster.
      rmSync(part, { recursive: true, force: true });
    }
  }
}
