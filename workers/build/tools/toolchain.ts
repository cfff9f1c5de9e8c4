import { existsSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fail, isAppError } from "@/lib/common/errors";
import { digestOf, hexOf } from "@/lib/server/digest";
import { bundlePath, findOnPath, runChild } from "@/lib/server/process";
import {
  type FpgaTool,
  type NativeTool,
  type ToolEntry,
  type ToolFamily,
  toolCatalogue,
  toolFamilies,
  type VendorProduct,
  type VendorProgram,
  vendorProducts,
} from "./catalogue";
import { findPython } from "./python";
import type { Tool, ToolCall } from "./tool";

export interface Toolchain {
  /** @throws {AppError} `TOOL_MISSING` with the line that brings it. */
  getTool(command: string): Promise<Tool>;
  /**
   * Versions of tools, by command. They enter the digest of a plan.
   *
   * @throws {AppError} `TOOL_MISSING`
   */
  versions(commands: readonly string[]): Promise<Record<string, string>>;
  /** The same of those that are there. */
  found(commands: readonly string[]): Promise<Record<string, string>>;
}

export interface ToolchainOptions {
  /** Families whose tools are taken from PATH. */
  readonly native: ReadonlySet<ToolFamily>;
  /** Folder with `node_modules/@yowasp` and private Python environments. */
  readonly toolsDir: string;
  /** Paths of vendors' main programs where they are not on PATH. */
  readonly vendor?: Partial<Readonly<Record<VendorProduct, string | undefined>>>;
}

/** The families that the environment wants from PATH. */
export function nativeFamilies(
  env: Readonly<Record<`TOOLCHAIN_${Uppercase<ToolFamily>}`, "wasm" | "native">>,
): ReadonlySet<ToolFamily> {
  const variableOf = (family: ToolFamily) =>
    `TOOLCHAIN_${family.toUpperCase() as Uppercase<ToolFamily>}` as const;
  return new Set(toolFamilies.filter((family) => env[variableOf(family)] === "native"));
}

/** The vendors' programs that the environment names. */
export function vendorPaths(
  env: Readonly<Partial<Record<(typeof vendorProducts)[VendorProduct], string | undefined>>>,
): NonNullable<ToolchainOptions["vendor"]> {
  return Object.fromEntries(
    Object.entries(vendorProducts).map(([product, variable]) => [product, env[variable]]),
  );
}

/** Finds tools once and remembers those that are there. */
export function createToolchain({ native, toolsDir, vendor = {} }: ToolchainOptions): Toolchain {
  const found = new Map<string, Promise<Tool>>();
  const find = (entry: ToolEntry): Promise<Tool> => {
    if (entry.kind === "vendor") return findVendor(entry, vendor[entry.product]);
    const { command } = entry;
    if (entry.kind === "machine") return findNative(command, entry.native);
    const { family } = entry;
    if (entry.native && family && native.has(family)) return findNative(command, entry.native);
    return entry.kind === "python" ? findPython(toolsDir, entry) : findWasm(toolsDir, entry);
  };
  const getTool = (command: string): Promise<Tool> => {
    const known = found.get(command);
    if (known !== undefined) return known;
    const entry = toolCatalogue.get(command);
    if (!entry) return Promise.reject(fail("TOOL_MISSING", `No tool here is called ${command}.`));
    const tool = find(entry);
    found.set(command, tool);
    // A tool that is installed later is found without a restart.
    tool.catch(() => found.delete(command));
    return tool;
  };
  return {
    getTool,
    async versions(commands) {
      const tools = await Promise.all(commands.map(getTool));
      return Object.fromEntries(tools.map(({ command, version }) => [command, version]));
    },
    async found(commands) {
      const tools = await Promise.all(
        commands.map((command) =>
          getTool(command).catch((error: unknown) => {
            if (isAppError(error) && error.reason === "TOOL_MISSING") return null;
            throw error;
          }),
        ),
      );
      return Object.fromEntries(
        tools.flatMap((tool) => (tool ? [[tool.command, tool.version] as const] : [])),
      );
    },
  };
}

async function findWasm(toolsDir: string, entry: FpgaTool): Promise<Tool> {
  const folder = join(toolsDir, "node_modules", entry.wasm.package);
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) {
    throw fail("TOOL_MISSING", `${entry.command} is not installed.`, {
      hint: `npm install --prefix .boardwalk/tools ${entry.wasm.package}`,
    });
  }
  const { version, exports } = JSON.parse(await readFile(manifest, "utf8")) as {
    version: string;
    exports: { default: string };
  };
  const module = join(folder, exports.default);
  const runner = bundlePath("workers/build/tools/tool.child");
  return {
    command: entry.command,
    version: `${entry.wasm.package} ${version}`,
    needs: [process.execPath, dirname(runner), toolsDir],
    argv: (call: ToolCall): [string, ...string[]] => [
      process.execPath,
      "--no-warnings",
      runner,
      module,
      entry.wasm.run,
      JSON.stringify(call),
    ],
  };
}

/** A vendor's program: the main one that a variable names, another beside it, else on PATH. It sees its installation. */
async function findVendor(
  { command, native, isMain }: VendorProgram,
  main: string | undefined,
): Promise<Tool> {
  const given = main && (isMain ? main : join(dirname(main), native.program));
  const tool = await findNative(command, native, given || undefined);
  const [path] = tool.needs;
  const bin = dirname(await realpath(path ?? ""));
  return { ...tool, needs: [...tool.needs, dirname(bin)] };
}

async function findNative(command: string, entry: NativeTool, given?: string): Promise<Tool> {
  const { program } = entry;
  const path = given ? (existsSync(given) ? given : null) : findOnPath(program);
  if (!path && given) throw fail("TOOL_MISSING", `There is no ${given}.`, { hint: entry.hint });
  if (!path) throw fail("TOOL_MISSING", `${program} is not on PATH.`, { hint: entry.hint });
  // A version text alone does not tell two builds of one version apart.
  const binary = hexOf(digestOf(await readFile(await realpath(path)))).slice(0, 16);
  const text = entry.versionArgs ? await firstLine([path, ...entry.versionArgs]) : "";
  return {
    command,
    version: [text || program, binary].join(" "),
    needs: [path],
    argv: ({ args, produces: [product = ""] }) =>
      entry.printsProduct
        ? ["/bin/sh", "-c", 'out=$1; shift; exec "$@" >"$out"', "sh", product, path, ...args]
        : [path, ...args],
  };
}

async function firstLine(argv: [string, ...string[]]): Promise<string> {
  let output = "";
  await runChild({
    argv,
    cwd: "/",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    wallMs: 20_000,
    onOutput: (_, bytes) => {
      if (output.length < 4096) output += bytes.toString();
    },
  });
  return output.trim().split("\n")[0]?.slice(0, 200) ?? "";
}
