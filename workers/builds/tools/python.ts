import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { fail } from "@/lib/common/errors";
import { runChild } from "@/lib/server/process";
import type { PythonTool } from "./catalogue";
import type { Tool } from "./tool";

const answerSchema = z.object({
  base: z.string(),
  python: z.string(),
  packages: z.array(z.string()),
});

/** Asks an environment for its packages without importing any: TensorFlow alone would take seconds. */
const question = `
import importlib.metadata as metadata, json, platform, sys
def found(names):
    for name in names:
        try:
            return f"{name} {metadata.version(name)}"
        except metadata.PackageNotFoundError:
            pass
    sys.exit(f"{names[0]} is missing")
packages = [found(names) for names in json.loads(sys.argv[1])]
print(json.dumps({"base": sys.base_prefix, "python": platform.python_version(), "packages": packages}))
`;

/** Files of an environment that change with its packages: an installation writes into the folder of packages. */
export function pythonPlaces(toolsDir: string, { folder }: PythonTool): readonly string[] {
  const place = join(toolsDir, folder);
  const lib = join(place, "lib");
  const versions = existsSync(lib) ? readdirSync(lib).sort() : [];
  return [
    join(place, "bin/python"),
    ...versions.map((version) => join(lib, version, "site-packages")),
  ];
}

/** Finds a private Python environment. Its own Python is used, deaf to the variables and packages of the machine. */
export async function findPython(toolsDir: string, entry: PythonTool): Promise<Tool> {
  const folder = join(toolsDir, entry.folder);
  const python = join(folder, "bin/python");
  const answer = existsSync(python) ? await ask(python, entry) : null;
  if (answer === null) {
    throw fail("TOOL_MISSING", `${entry.command} is not installed.`, { hint: entry.setup });
  }
  return {
    command: entry.command,
    version: [...answer.packages, `Python ${answer.python}`].join(", "),
    needs: [folder, answer.base],
    // What the WebAssembly of the packages was compiled to, by set-up.
    env: { YOWASP_CACHE_DIR: join(folder, "cache") },
    argv: ({ args }) => [
      python,
      "-I",
      ...(entry.program === null ? [] : [join(folder, "bin", entry.program)]),
      ...args,
    ],
  };
}

async function ask(python: string, { packages }: PythonTool) {
  let output = "";
  const { exitCode } = await runChild({
    argv: [python, "-I", "-c", question, JSON.stringify(packages)],
    cwd: "/",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    wallMs: 60_000,
    onOutput: (stream, bytes) => {
      if (stream === "stdout") output += bytes.toString();
    },
  });
  if (exitCode !== 0) return null;
  const parsed = answerSchema.safeParse(JSON.parse(output));
  return parsed.success ? parsed.data : null;
}
