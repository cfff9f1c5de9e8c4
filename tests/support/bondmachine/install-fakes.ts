import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";

const sources = "tests/support/bondmachine";

/** Puts the stand-ins of BondMachine's tools into a folder of their own, under the names of the real ones. */
export function installFakes(): string {
  const folder = mkdtempSync(join(tmpdir(), "bw-bondmachine-"));
  for (const name of ["basm", "bondmachine", "neuralbond"]) {
    // A sandbox shows a tool's own file alone, so each has in it what it is made of.
    buildSync({
      ...{ entryPoints: [join(sources, `fake-${name}.mjs`)], outfile: join(folder, name) },
      ...{ bundle: true, platform: "node", format: "esm", logLevel: "error" },
    });
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

/** The real tools where a variable names their folder, else the stand-ins: both must do for whoever asks here. */
export function bondmachineTools(): { readonly folder: string; remove(): void } {
  const real = process.env["BONDMACHINE_DIR"];
  if (real) return { folder: real, remove: () => {} };
  const folder = installFakes();
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A call of a tool that was recorded: its arguments, and what came of it. */
export interface RecordedCall {
  readonly args: readonly string[];
}

/** The same, but calls that were recorded are answered as they were. */
export function installReplay(calls: readonly RecordedCall[]): string {
  const folder = installFakes();
  const replay = readFileSync(join(sources, "replay.mjs"), "utf8");
  for (const name of ["basm", "bondmachine"]) {
    const own = calls.filter(({ args: [tool] }) => tool === name);
    const [shebang = "", ...rest] = readFileSync(join(folder, name), "utf8").split("\n");
    const text = [shebang, replay.replace("RECORDED", () => JSON.stringify(own)), ...rest];
    writeFileSync(join(folder, name), text.join("\n"));
  }
  return folder;
}
