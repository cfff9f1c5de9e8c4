import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomFrom } from "@/compiler/random";
import { root } from "@/scripts/lib/home.mjs";
import { saying, upload } from "@/tests/support/client";
import { fillLists } from "@/tests/support/fill-lists";
import { startInstallation } from "@/tests/support/installation";
import { denseOnnx } from "@/tests/support/onnx";

/**
 * How fast an installation is written to a file and made of it again: `npm run bench -- backup MEGABYTES`. Its models are so many
 * megabytes, its builds 100,000 rows. Beside it, what the machine can do at best: one `tar` of the same folder, and one `sha256sum` of the file.
 */
const megabytes = Number(process.argv[2] ?? 1024);
const builds = Number(process.env["BENCH_BUILDS"] ?? 100_000);
/** A model of one dense layer of so many inputs and outputs, 4 bytes a weight. */
const width = 2000;
const modelMb = (4 * width ** 2) / 1e6;
const say = (text: string) => process.stdout.write(`${text}\n`);

const folder = mkdtempSync(join(tmpdir(), "bw-bench-backup-"));
const home = join(folder, "home");
const restored = join(folder, "restored");
const file = join(folder, "backup.tar");
process.env["BOARDWALK_KEEP"] = "1";
try {
  await fill();
  const backup = took(process.execPath, ["scripts/backup.mjs", file], home);
  const mb = statSync(file).size / 1e6;
  say(`${megabytes} MB of models, ${builds} builds: a file of ${mb.toFixed(0)} MB`);
  const restore = took(process.execPath, ["scripts/restore.mjs", file], restored);
  const tar = took("tar", ["-cf", join(folder, "plain.tar"), "-C", home, "."]);
  const hash = took("sha256sum", [file]);
  for (const [name, seconds] of [
    ["backup", backup],
    ["restore", restore],
    ["tar of the data folder", tar],
    ["sha256sum of the file", hash],
  ] as const)
    say(
      `${name.padEnd(24)} ${seconds.toFixed(1).padStart(6)} s ${(mb / seconds).toFixed(0).padStart(5)} MB/s`,
    );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

/** An installation with models and builds, stopped. */
async function fill(): Promise<void> {
  const installation = await startInstallation("bench-backup", { folder: home });
  try {
    await fillLists(installation.variables["DATABASE_URL"] ?? "", {
      builds,
      endpoints: 1000,
      underWay: false,
    });
    const random = randomFrom(1);
    const model = denseOnnx([width, width], () => Math.fround(random.uniform()));
    for (let n = 0; n < megabytes / modelMb; n++) {
      const bytes = saying(model, `model ${n}`);
      const { status } = await upload(installation, `model-${n}.onnx`, bytes);
      if (status !== 201) throw new Error(`upload: ${status}`);
    }
  } finally {
    await installation.stop();
  }
}

/** Seconds that a command takes, with this data folder. */
function took(command: string, args: readonly string[], dataFolder = home): number {
  const startMs = performance.now();
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, BOARDWALK_HOME: dataFolder },
    encoding: "utf8",
  });
  if (status !== 0)
    throw new Error(`${command} ${args.join(" ")} ended with ${status}\n${stdout}${stderr}`);
  return (performance.now() - startMs) / 1000;
}
