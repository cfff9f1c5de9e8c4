import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Filling, fillBlanks } from "@/boards";
import type { FillStep } from "@/engines";

type Files = Readonly<Record<string, string | Uint8Array>>;
interface RunOptions {
  readonly stdout: (bytes: Uint8Array | null) => void;
  readonly stderr: (bytes: Uint8Array | null) => void;
}
type Run = (args: readonly string[], files: Files, options: RunOptions) => Promise<Files>;

const folder = process.env["TOOLS_DIR"] ?? join(import.meta.dirname, "../../../.boardwalk/tools");
const entries = {
  yosys: ["yosys", "runYosys"],
  "nextpnr-ice40": ["nextpnr-ice40", "runNextpnrIce40"],
  icepack: ["nextpnr-ice40", "runIcepack"],
  iceunpack: ["nextpnr-ice40", "runIceunpack"],
  icepll: ["nextpnr-ice40", "runIcepll"],
} as const;
export type ToolName = keyof typeof entries;

/** Whether a plan's step names a tool that is run here. */
export const isTool = (command: string): command is ToolName => command in entries;

/**
 * Runs one of the pinned WebAssembly tools on files in memory.
 * @returns The files as it leaves them, besides what it was given, and what it printed.
 */
export async function runTool(
  tool: ToolName,
  args: readonly string[],
  files: Files = {},
): Promise<{ readonly files: Files; readonly output: string }> {
  const [name, entry] = entries[tool];
  const bundle = join(folder, "node_modules/@yowasp", name, "gen/bundle.js");
  const tools = (await import(pathToFileURL(bundle).href)) as Record<string, Run>;
  const decoder = new TextDecoder();
  let output = "";
  const sink = (bytes: Uint8Array | null) => {
    if (bytes) output += decoder.decode(bytes, { stream: true });
  };
  const run = tools[entry];
  if (run === undefined) throw new Error(`${bundle} has no ${entry}`);
  try {
    return { files: await run(args, files, { stdout: sink, stderr: sink }), output };
  } catch (cause) {
    throw new Error(`${tool} failed:\n${output.slice(-3000)}`, { cause });
  }
}

/** Fills the blanks of a mapped netlist in memory. */
export function runFill({ mapped, top, filling, netlist, cells }: FillStep, files: Files): Files {
  const given: Filling = JSON.parse(textOf(files, filling));
  const filled = fillBlanks(textOf(files, mapped), top, given);
  return { ...files, [netlist]: filled.netlist, [cells]: JSON.stringify(filled.counts) };
}

/** A product as text. */
export function textOf(files: Files, name: string): string {
  const content = files[name];
  if (content === undefined) throw new Error(`there is no ${name}`);
  return typeof content === "string" ? content : new TextDecoder().decode(content);
}
