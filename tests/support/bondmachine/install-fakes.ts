import { chmodSync, copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const sources = "tests/support/bondmachine";

/** Puts the stand-ins of BondMachine's tools into a folder of their own, under the names of the real ones. */
export function installFakes(): string {
  const folder = mkdtempSync(join(tmpdir(), "bw-bondmachine-"));
  for (const name of ["basm", "bondmachine"]) {
    copyFileSync(join(sources, `fake-${name}.mjs`), join(folder, name));
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}
