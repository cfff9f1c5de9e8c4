// `npm run bench`: lists the figures; `npm run bench -- NAME` takes one of them. Each prints numbers with what they are
// compared with in the same run.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openHome, root } from "./lib/home.mjs";
import { end, line, step } from "./lib/say.mjs";
import { buildPages, bundle, generateClient } from "./setup/build.mjs";

const folder = join(root, "bench");
const nameOf = (file) => file.replace(/\.bench\.(ts|mjs)$/, "");
const files = readdirSync(folder).filter((file) => /\.bench\.(ts|mjs)$/.test(file));
const [name, ...rest] = process.argv.slice(2);

main().catch(end);

async function main() {
  const file = files.find((each) => nameOf(each) === name);
  if (!file) {
    line("npm run bench -- NAME, one of:");
    for (const each of files) line(`  ${nameOf(each)}`);
    process.exit(name === undefined ? 0 : 2);
  }
  const home = openHome();
  await generateClient(home);
  const bundles = await bundle();
  // Several start a whole installation.
  await step("Pages", () => buildPages(home));
  const child = spawn(
    process.execPath,
    [...(file.endsWith(".ts") ? ["--import", "tsx"] : []), join(folder, file), ...rest],
    {
      cwd: root,
      stdio: "inherit",
      env: { ...home.env, BOARDWALK_BUNDLES: bundles, TOOLS_DIR: home.at("tools") },
    },
  );
  child.on("exit", (code) => process.exit(code ?? 1));
}
