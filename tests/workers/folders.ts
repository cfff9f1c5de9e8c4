import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Where the tests find the WebAssembly tools that set-up installed. */
export const toolsFolder = process.env["TOOLS_DIR"] ?? resolve(".boardwalk/tools");

/** The bundles of threads and children as they are now. */
export async function bundleFolder(): Promise<string> {
  const given = process.env["BOARDWALK_BUNDLES"];
  if (given) return given;
  const script = pathToFileURL(resolve("scripts/bundle.mjs")).href;
  const { bundle } = (await import(/* @vite-ignore */ script)) as { bundle(): Promise<string> };
  return bundle();
}
