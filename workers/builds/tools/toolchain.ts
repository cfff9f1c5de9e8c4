import { existsSync } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { fail, isAppError } from "@/lib/common/errors";
import { digestOf, hexOf } from "@/lib/server/digest";
import { bundlePath, findOnPath, runChild } from "@/lib/server/process";
import {
  type FpgaTool,
  type HostEntry,
  type MachineTool,
  type NativeTool,
  type PythonTool,
  type ToolEntry,
  type ToolFamily,
  type ToolSuite,
  toolCatalogue,
  toolFamilies,
  toolSuites,
  type VendorProduct,
  type VendorProgram,
  vendorProducts,
} from "./catalogue";
import { findPython, pythonPlaces } from "./python";
import type { Tool, ToolCall } from "./tool";

/** The tools that this machine has. */
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
  /** Folders of suites that are not on PATH. */
  readonly suites?: Partial<Readonly<Record<ToolSuite, string | undefined>>>;
  /** Addresses of build servers, by command. */
  readonly hosts?: Readonly<Record<string, string>>;
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

/** The folders of suites that the environment names. */
export function suiteFolders(
  env: Readonly<Partial<Record<(typeof toolSuites)[ToolSuite], string | undefined>>>,
): NonNullable<ToolchainOptions["suites"]> {
  return Object.fromEntries(
    Object.entries(toolSuites).map(([suite, variable]) => [suite, env[variable]]),
  );
}

interface Known {
  readonly identity: string;
  readonly tool: Promise<Tool>;
}

/** Finds tools and remembers those that are there, for as long as they are the same files. */
export function createToolchain({
  native,
  toolsDir,
  suites = {},
  vendor = {},
  hosts = {},
}: ToolchainOptions): Toolchain {
  const known = new Map<string, Known>();
  const isNative = (entry: FpgaTool | PythonTool) =>
    entry.native !== undefined && entry.family !== undefined && native.has(entry.family);
  const inSuite = (entry: MachineTool) =>
    entry.suite && suitePath(entry, [suites[entry.suite], join(toolsDir, entry.suite)]);
  const find = (entry: ToolEntry): Promise<Tool> => {
    if (entry.kind === "vendor") return findVendor(entry, vendor[entry.product]);
    if (entry.kind === "host") return findHost(entry, hosts[entry.command]);
    const { command } = entry;
    if (entry.kind === "machine") return findNative(command, entry.native, inSuite(entry));
    if (entry.native && isNative(entry)) return findNative(command, entry.native);
    return entry.kind === "python" ? findPython(toolsDir, entry) : findWasm(toolsDir, entry);
  };
  /** Files that are others when the tool is another. */
  const placesOf = (entry: ToolEntry): readonly string[] => {
    if (entry.kind === "vendor") return [vendorPath(entry, vendor[entry.product])];
    if (entry.kind === "host") return [];
    const own = entry.kind === "machine" ? inSuite(entry) : undefined;
    if (own !== undefined) return [own];
    if (entry.kind === "machine" || isNative(entry)) {
      const { program } = entry.native ?? { program: entry.command };
      return [findOnPath(program) ?? program];
    }
    if (entry.kind === "python") return pythonPlaces(toolsDir, entry);
    return [manifestOf(toolsDir, entry)];
  };
  const getTool = async (command: string): Promise<Tool> => {
    const entry = toolCatalogue.get(command);
    if (!entry) throw fail("TOOL_MISSING", `No tool here is called ${command}.`);
    const identity = await identityOf(placesOf(entry));
    const before = known.get(command);
    if (before?.identity === identity) return await before.tool;
    const tool = find(entry);
    const now = { identity, tool };
    known.set(command, now);
    // A tool that is installed later is found without a restart.
    tool.catch(() => {
      if (known.get(command) === now) known.delete(command);
    });
    return await tool;
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

/** What tells files from others that took their place. */
async function identityOf(places: readonly string[]): Promise<string> {
  const identities = await Promise.all(
    places.map(async (place) => {
      const { dev, ino, size, mtimeMs, ctimeMs } = (await stat(place).catch(() => null)) ?? {};
      return [place, dev, ino, size, mtimeMs, ctimeMs].join(" ");
    }),
  );
  return identities.join("\n");
}

const packageOf = (toolsDir: string, { wasm }: FpgaTool) =>
  join(toolsDir, "node_modules", wasm.package);
const manifestOf = (toolsDir: string, entry: FpgaTool) =>
  join(packageOf(toolsDir, entry), "package.json");

const packageSchema = z.object({
  version: z.string(),
  exports: z.object({ default: z.string() }),
});

async function findWasm(toolsDir: string, entry: FpgaTool): Promise<Tool> {
  const folder = packageOf(toolsDir, entry);
  const manifest = manifestOf(toolsDir, entry);
  if (!existsSync(manifest)) {
    throw fail("TOOL_MISSING", `${entry.command} is not installed.`, {
      hint: `npm install --prefix .boardwalk/tools ${entry.wasm.package}`,
    });
  }
  const { version, exports } = packageSchema.parse(JSON.parse(await readFile(manifest, "utf8")));
  const module = join(folder, exports.default);
  const runner = bundlePath("workers/builds/tools/tool.child");
  return {
    command: entry.command,
    version: `${entry.wasm.package} ${version}`,
    needs: [process.execPath, dirname(runner), toolsDir],
    argv: (call: ToolCall): [string, ...string[]] => [
      process.execPath,
      "--no-warnings",
      // Yosys is large: V8's usual budget has most of it compiled twice, which takes longer than it saves.
      "--wasm-tiering-budget=60000000",
      runner,
      module,
      entry.wasm.run,
      JSON.stringify(call),
    ],
  };
}

/** A build server by its address; nobody can tell its version. */
async function findHost({ command, hint }: HostEntry, address?: string): Promise<Tool> {
  if (!address) throw fail("TOOL_MISSING", "This build worker knows no build server.", { hint });
  return {
    command,
    version: `build server ${hexOf(digestOf(address)).slice(0, 16)}`,
    needs: [],
    argv() {
      throw new RangeError("A build server is asked, not run.");
    },
  };
}

/** Where a variable says that a vendor's program is, else what is on PATH. */
function vendorPath({ native, isMain }: VendorProgram, main: string | undefined): string {
  if (main) return isMain ? main : join(dirname(main), native.program);
  return findOnPath(native.program) ?? native.program;
}

/** A program of a suite in the first of some folders that has it; undefined: PATH has it, or nobody. */
function suitePath(
  { native }: MachineTool,
  folders: readonly (string | undefined)[],
): string | undefined {
  return folders
    .flatMap((folder) => (folder ? [resolve(folder, native.program)] : []))
    .find((path) => existsSync(path));
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
