// `npm test`: all set-up, then check, unit, integration and end-to-end tests, in a data folder and on ports of their own.
// `--only unit,e2e` runs some of the parts. Four are not among them: `--only judges`, programs of others that take long to
// install; `--only long`, suites of minutes that break seldom; `--only journeys`, people's ways through the portal by
// Playwright's runner; and `--only matrix`, every FPGA family, architecture and kind of model to a bitstream.
// `--pictures` writes every page of the portal as a picture. The last line counts.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { openHome, root } from "./lib/home.mjs";
import { parseOptions } from "./lib/options.mjs";
import { bold, dim, duration, end, line, step } from "./lib/say.mjs";
import { checkMachine } from "./setup/machine.mjs";
import { installPackages } from "./setup/packages.mjs";
import { installJudges, installMatrixTools, installTestTools } from "./setup/test-tools.mjs";
import { installTools, toolsFolder } from "./setup/tools.mjs";

const parts = ["check", "unit", "integration", "e2e"];
const { values: options, positionals: filters } = parseOptions({
  options: { only: { type: "string" }, pictures: { type: "boolean" } },
  allowPositionals: true,
});
const only = options.only?.split(",") ?? parts;
const started = Date.now();

main().catch(end);

async function main() {
  const tools = process.env.TOOLS_DIR ?? join(root, ".boardwalk/tools");
  const folder = process.env.BOARDWALK_TEST_HOME ?? join(root, ".boardwalk/test");
  // Every run starts from nothing but the tools, and what they made before of the very same files.
  for (const name of [
    "postgres",
    "redis",
    "storage",
    "s3",
    "metadata-of-s3",
    "board-server",
    "work",
    "run",
    "logs",
    "tmp",
  ]) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
  const home = openHome(folder);
  line(bold("Boardwalk, all tests"));
  const { nodeVersion } = checkMachine(home);
  await step("Machine", () => `Node ${nodeVersion}`);
  mkdirSync(tools, { recursive: true });
  const shared = openHome(join(root, ".boardwalk"));
  // Debian and Go have what they need without npm, and take as long: meanwhile.
  let noteTools = () => {};
  const testTools = installTestTools(shared, (text) => noteTools(text));
  testTools.catch(() => {});
  await step("Packages", () => installPackages(home));
  const { buildPages, bundle, generateClient } = await import("./setup/build.mjs");
  await step("FPGA tools", () => installTools(shared));
  await step("Database client", () => generateClient(home));
  let bundles = "";
  await step("Processes", async () => {
    bundles = await bundle();
  });
  const projects = only.filter((part) => part !== "check");
  const hasPages = projects.some((part) => part !== "unit");
  if (hasPages) await step("Pages", () => buildPages(home));
  let found = {};
  await step("Simulators, browser and stores", async (note) => {
    noteTools = note;
    found = await testTools;
  });
  if (projects.some((part) => part === "judges" || part === "matrix")) {
    await step("Judges", async (note) => {
      Object.assign(found, await installJudges(shared, note));
    });
  }
  if (projects.includes("matrix")) {
    await step("Tools of the matrix", async (note) => {
      Object.assign(found, await installMatrixTools(shared, note));
    });
  }
  const env = {
    ...home.env,
    ...found,
    NODE_ENV: "test",
    BOARDWALK_HOME: home.path,
    BOARDWALK_BUNDLES: bundles,
    BOARDWALK_SOURCE_DIGEST: readFileSync(join(bundles, "source-digest"), "utf8"),
    TOOLS_DIR: process.env.TOOLS_DIR ?? toolsFolder(shared),
    // What suites build alike is built once: their workers share the products of tools.
    STEP_CACHE_DIR: home.at("steps"),
    PICTURES: options.pictures ? "1" : "0",
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
  };

  const counts = { passed: 0, failed: 0, suites: [] };
  const count = (ok) => {
    counts[ok ? "passed" : "failed"] += 1;
  };
  // It needs one core, and waits for nothing: it runs beside the tests, and is told after them.
  const checking = only.includes("check") ? check(env) : Promise.resolve(null);
  if (projects.some((part) => part !== "unit")) {
    const { startStores } = await import("./setup/stores.mjs");
    Object.assign(process.env, { PATH: found.PATH });
    for (const name of ["DATABASE_URL", "REDIS_URL", "S3_ENDPOINT", "STORAGE_DIR"])
      delete process.env[name];
    let stores;
    await step("Postgres, Redis and S3", async (note) => {
      stores = await startStores(home, note);
      return `storage: ${stores.storage}`;
    });
    try {
      // Suites make databases of their own on this server, and start every other store themselves.
      const withPostgres = { ...env, TEST_DATABASE_URL: stores.variables.DATABASE_URL };
      const suites = projects.filter((part) => part !== "journeys");
      if (suites.length > 0) add(counts, await vitest(suites, home, withPostgres));
      if (projects.includes("journeys")) add(counts, await playwright(home, withPostgres));
    } finally {
      await stores.stop();
    }
  } else if (projects.length > 0) add(counts, await vitest(projects, home, env));
  const checked = await checking;
  if (checked) {
    line(`\n${bold("check")}\n${checked.text}`);
    count(checked.ok);
  }
  showSlowest(counts.suites);
  line(dim(`in ${duration(Date.now() - started)}`));
  line(`${counts.passed} passed, ${counts.failed} failed`);
  process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);
}

const add = (counts, more) => {
  counts.passed += more.passed;
  counts.failed += more.failed;
  counts.suites.push(...more.suites);
};

/** The ten files of tests that took longest, as a hint where minutes go. */
function showSlowest(suites) {
  if (suites.length === 0) return;
  line(`\n${bold("slowest suites")}`);
  for (const { file, durationMs } of suites
    .toSorted((a, b) => b.durationMs - a.durationMs)
    .slice(0, 10)) {
    line(`  ${duration(durationMs).padStart(12)}  ${file}`);
  }
}

/** Style, types, layers and unused code: whether all is well, and what was printed. */
function check(env) {
  return new Promise((resolve) => {
    const child = spawn("npm", ["run", "--silent", "check"], { cwd: root, env });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (bytes) => {
        text += bytes;
      });
    child.on("error", ({ message }) => resolve({ ok: false, text: message }));
    child.on("close", (code) => resolve({ ok: code === 0, text }));
  });
}

/** Runs projects of Vitest side by side; a run that ends without a report, or without a single test, counts as a failure. */
async function vitest(projects, home, env) {
  line(`\n${bold(projects.join(", "))}`);
  const report = home.at("run", "vitest.json");
  rmSync(report, { force: true });
  const code = await spawned(
    join(root, "node_modules/.bin/vitest"),
    [
      "run",
      ...projects.flatMap((project) => ["--project", project]),
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...filters,
    ],
    env,
  );
  if (!existsSync(report)) return { passed: 0, failed: 1, suites: [] };
  const { numPassedTests, numFailedTests, numTotalTests, numPendingTests, testResults } =
    JSON.parse(readFileSync(report, "utf8"));
  if (numPendingTests > 0) line(`${numPendingTests} skipped`);
  const broken = code !== 0 && numFailedTests === 0;
  return {
    passed: numPassedTests,
    failed: numFailedTests + (broken || numTotalTests === 0 ? 1 : 0),
    suites: testResults.map(({ name, startTime, endTime }) => ({
      file: relative(root, name),
      durationMs: endTime - startTime,
    })),
  };
}

/** Runs the journeys by Playwright's runner; a run that ends without a report, or skips one, counts as a failure. */
async function playwright(home, env) {
  line(`\n${bold("journeys")}`);
  const report = home.at("run", "journeys.json");
  rmSync(report, { force: true });
  const code = await spawned(join(root, "node_modules/.bin/playwright"), ["test", ...filters], {
    ...env,
    JOURNEYS_REPORT: report,
  });
  if (!existsSync(report)) return { passed: 0, failed: 1, suites: [] };
  const { stats, suites } = JSON.parse(readFileSync(report, "utf8"));
  const failed = stats.unexpected + stats.flaky + stats.skipped;
  const broken = failed === 0 && (code !== 0 || stats.expected === 0) ? 1 : 0;
  return {
    passed: stats.expected,
    failed: failed + broken,
    suites: suites.map(({ file, specs }) => ({
      file: `e2e/journeys/${file}`,
      durationMs: specs
        .flatMap(({ tests }) => tests.flatMap(({ results }) => results))
        .reduce((sum, { duration: ms }) => sum + ms, 0),
    })),
  };
}

function spawned(command, args, env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: "inherit" });
    child.on("error", () => resolve(1));
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
