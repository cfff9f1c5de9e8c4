// Runs one pinned WebAssembly tool in a process of its own, with nothing of ours around it: the measure of the build bench.
// Arguments: the module, the name of its function, then the tool's own; the files are those of the current folder.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { pathToFileURL } from "node:url";

// As low as a build runs its tools, so that a busy machine slows both alike.
setPriority(10);
const [, , module, name, ...args] = process.argv;
const { [name]: run } = await import(pathToFileURL(module).href);
const files = Object.fromEntries(readdirSync(".").map((file) => [file, readFileSync(file)]));
const quiet = () => {};
const made = await run(args, files, { stdout: quiet, stderr: quiet });
for (const [file, content] of Object.entries(made)) {
  const isFile = typeof content === "string" || content instanceof Uint8Array;
  if (isFile && !(file in files)) writeFileSync(file, content);
}
