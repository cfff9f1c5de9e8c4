import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openHome } from "@/scripts/lib/home.mjs";
import { startStores } from "@/scripts/setup/stores.mjs";

/** Stands in for an object store: `how` is what it does with the port that it was given. */
const standIn = (how: string) => `#!${process.execPath}
const { spawn } = require("node:child_process");
const { appendFileSync } = require("node:fs");
const { createServer } = require("node:net");
if (process.argv[2] === "--version") {
  console.log("stand-in");
  process.exit(0);
}
const port = process.argv[process.argv.indexOf("--port") + 1].split(":")[1];
if (process.argv[2] !== "rival") appendFileSync(process.env.STAND_IN_PORTS, port + "\\n");
const listen = (then) => createServer().listen(Number(port), "127.0.0.1", then);
${how}
`;

/** Another program has the first port when the store comes to it. */
const tooLate = `
const { readFileSync } = require("node:fs");
if (process.argv[2] === "rival") listen(() => process.stdout.write("there"));
else if (readFileSync(process.env.STAND_IN_PORTS, "utf8").trim().includes("\\n")) listen(() => {});
else {
  const rival = spawn(process.execPath, [__filename, "rival", ...process.argv.slice(2)], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  rival.stdout.once("data", () => {
    appendFileSync(process.env.STAND_IN_PORTS + ".rival", String(rival.pid));
    console.log("bind: address already in use");
    process.exit(1);
  });
}`;

let place = "";
let ports = "";
const before = { ...process.env };

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "boardwalk-stores-"));
  ports = join(place, "ports");
  const { S3_ENDPOINT: _endpoint, STORAGE_DIR: _folder, ...others } = before;
  process.env = {
    ...others,
    DATABASE_URL: "postgres://127.0.0.1:1/none",
    REDIS_URL: "redis://127.0.0.1:1",
    PATH: [join(place, "bin"), before["PATH"]].join(delimiter),
    STAND_IN_PORTS: ports,
  };
});

afterEach(() => {
  process.env = before;
  rmSync(place, { recursive: true, force: true });
});

function install(how: string) {
  mkdirSync(join(place, "bin"));
  // The folder of temporary files may lie in the checkout, whose scripts are modules.
  writeFileSync(join(place, "bin/package.json"), JSON.stringify({ type: "commonjs" }));
  writeFileSync(join(place, "bin/versitygw"), standIn(how), { mode: 0o755 });
  const home = openHome(join(place, "home"));
  return { ...home, env: { ...home.env, STAND_IN_PORTS: ports } };
}

it("chooses another port when a program took the first before the store came up", async () => {
  const home = install(tooLate);
  const stores = await startStores(home);
  try {
    const [first, second, ...more] = readFileSync(ports, "utf8").trim().split("\n");
    expect(more).toEqual([]);
    expect(second).not.toBe(first);
    expect(stores.variables.S3_ENDPOINT).toBe(`http://127.0.0.1:${second}`);
  } finally {
    await stores.stop();
    process.kill(Number(readFileSync(`${ports}.rival`, "utf8")));
  }
});

it("says what a store said that ends for a reason of its own, and does not try again", async () => {
  const home = install(`console.log("the disk is full"); process.exit(1);`);
  await expect(startStores(home)).rejects.toThrow(
    /storage ended at once \(status 1\).*the disk is full/su,
  );
  expect(readFileSync(ports, "utf8").trim().split("\n")).toHaveLength(1);
});
