/**
 * Runs one WebAssembly tool to its end: reads the files it may see from the work folder, streams what it prints, and
 * writes back only what it promised. It runs inside the sandbox and imports nothing of ours.
 *
 * Arguments: the module's file, the name of its function, and a JSON object `{ args, reads, produces }`.
 */
import { constants, writeSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

interface Tree {
  [name: string]: Tree | string | Uint8Array;
}
type Run = (
  args: string[],
  files: Tree,
  options: Record<"stdout" | "stderr", (bytes: Uint8Array | null) => void>,
) => Promise<Tree> | Tree;

const [, , module = "", name = "", request = "{}"] = process.argv;
const { args, reads, produces } = JSON.parse(request) as Record<
  "args" | "reads" | "produces",
  string[]
>;

const print = (descriptor: number) => (bytes: Uint8Array | null) => {
  for (let at = 0; bytes && at < bytes.length; ) at += writeAll(descriptor, bytes.subarray(at));
};

/** A pipe that is full for the moment is no error. */
function writeAll(descriptor: number, bytes: Uint8Array): number {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") return 0;
    throw error;
  }
}

async function writeProduct(path: string, bytes: Uint8Array | string): Promise<void> {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o644);
  await file.writeFile(bytes);
  await file.close();
}

const files: Tree = {};
for (const path of reads) files[path] = new Uint8Array(await readFile(path));

const { [name]: run } = (await import(pathToFileURL(module).href)) as Record<string, Run>;
if (!run) throw new Error(`${module} has no ${name}`);

let left: Tree = {};
try {
  left = await run(args, files, { stdout: print(1), stderr: print(2) });
} catch (error) {
  const exit = error as { code?: unknown; files?: Tree };
  if (typeof exit.code !== "number" || !exit.files) throw error;
  left = exit.files;
  process.exitCode = exit.code;
}
for (const path of produces) {
  const product = left[path];
  if (product instanceof Uint8Array || typeof product === "string")
    await writeProduct(path, product);
}
