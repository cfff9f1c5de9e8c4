import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
type Files = Record<string, string | Uint8Array>;
type RunYosys = (
  args: string[],
  files: Files,
  options: {
    stdout: (bytes: Uint8Array | null) => void;
    stderr: (bytes: Uint8Array | null) => void;
  },
) => Promise<Files>;

let yosysTool: Promise<RunYosys> | undefined;

/** The pinned WebAssembly Yosys, as a function. Fails with the fix when it is not installed. */
function loadYosys(): Promise<RunYosys> {
  yosysTool ??= (async () => {
    const tools =
      process.env["TOOLS_DIR"] ?? path.resolve(import.meta.dirname, "../../../.boardwalk/tools");
    const bundle = path.join(tools, "node_modules/@yowasp/yosys/gen/bundle.js");
    if (!existsSync(bundle)) {
      throw new Error(
        `Yosys is not in ${tools}: run "npm test" once, which installs it, or set TOOLS_DIR.`,
      );
    }
    const module: { runYosys: RunYosys } = await import(pathToFileURL(bundle).href);
    return module.runYosys;
  })();
  return yosysTool;
}

/** Runs Yosys commands on files in memory and answers the files afterwards. */
export async function runYosys(script: string, files: Files): Promise<Files> {
  const yosys = await loadYosys();
  let messages = "";
  const decoder = new TextDecoder();
  const keep = (bytes: Uint8Array | null): void => {
    if (bytes) messages += decoder.decode(bytes, { stream: true });
  };
  try {
    return await yosys(["-q", "-p", script], files, { stdout: keep, stderr: keep });
  } catch (cause) {
    throw new Error(`Yosys failed:\n${messages.slice(-4000)}`, { cause });
  }
}

/** The netlist of Verilog (or, with `.il` names, RTLIL) sources, as the build makes it. */
export async function netlistOf(
  sources: Record<string, string>,
  commands = "proc; flatten; memory_collect; opt_clean",
): Promise<unknown> {
  const reads = Object.keys(sources).map((name) =>
    name.endsWith(".il") ? `read_rtlil ${name}` : `read_verilog -sv ${name}`,
  );
  const files = await runYosys(
    [...reads, ...(commands ? [commands] : []), "write_json netlist.json"].join("; "),
    sources,
  );
  return JSON.parse(String(files["netlist.json"]));
}

/** Compiles and runs a Verilog test bench in Icarus; answers what it printed. */
export async function runIcarus(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "boardwalk-icarus-"));
  try {
    for (const [name, text] of Object.entries(files))
      await writeFile(path.join(folder, name), text);
    const sources = Object.keys(files).filter((name) => name.endsWith(".v"));
    await start("iverilog", ["-g2012", "-o", "bench.vvp", "-s", "bench", ...sources], folder);
    return await start("vvp", ["-n", "bench.vvp"], folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function start(command: string, args: string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await run(command, args, { cwd, maxBuffer: 2 ** 30, timeout: 600_000 });
    return stdout;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") {
      throw new Error(`${command} is not installed: apt-get install iverilog.`, { cause });
    }
    throw cause;
  }
}
