import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bundle } from "@/scripts/bundle.mjs";
import { loadOf, makeSigner, type TestArtifact, trialArtifact } from "./support/artifacts";
import { type FakePortal, startFakePortal } from "./support/fake-portal";
import { inferRow } from "./support/infer";

// The real process, killed at named points, then started again with nothing but its state folder.

const signer = makeSigner();
let trial: TestArtifact;
let bundles: string;
let folder: string;
/** Points at which it is to die. */
let faults: string;
let portal: FakePortal;
let child: ChildProcess | null = null;

beforeAll(async () => {
  bundles = process.env["BOARDWALK_BUNDLES"] ?? (await bundle());
  trial = await trialArtifact("core");
}, 120_000);
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "bw-bk-"));
  faults = path.join(folder, "faults");
  await mkdir(faults);
  portal = await startFakePortal(signer);
  portal.offer(trial);
});
afterEach(async () => {
  child?.kill("SIGKILL");
  child = null;
  await portal.close();
  await rm(folder, { recursive: true, force: true });
});

function start(): Promise<NodeJS.Signals | null> {
  const started = spawn(process.execPath, [path.join(bundles, "board-server-main.mjs")], {
    stdio: "ignore",
    env: {
      NODE_ENV: "production",
      PATH: process.env["PATH"],
      BOARDWALK_HOME: folder,
      BOARDWALK_BUNDLES: bundles,
      PORTAL_URL: portal.url,
      BOARD_SERVER_SOCKET: path.join(folder, "s"),
      BOARD_SERVER_ENROL_CODE: portal.code,
      BOARDWALK_FAULTS: faults,
    },
  });
  child = started;
  return new Promise((resolve) => started.once("exit", (_code, signal) => resolve(signal)));
}

const infer = async (): Promise<number> =>
  (await inferRow(path.join(folder, "s"), [1, 2, 3, 4, 5])).status;

const serving = ({ state }: { state: string }) => state === "serving";

describe("a board server that is killed", () => {
  it.each(["board-server.in-download", "board-server.in-load", "board-server.in-infer"])(
    "%s loses nothing",
    async (point) => {
      await writeFile(path.join(faults, point), "");
      const death = start();
      portal.command(loadOf(trial, signer));
      if (point === "board-server.in-infer") {
        await portal.until("slt_1", serving);
        expect(await infer()).toBe(0);
      }
      expect(await death).toBe("SIGKILL");
      expect(existsSync(path.join(faults, point))).toBe(false);

      const before = portal.polls.length;
      void start();
      await expect.poll(() => portal.polls.length, { timeout: 20_000 }).toBeGreaterThan(before);
      const report = await portal.until("slt_1", serving);
      expect(report).toMatchObject({ slotEpoch: 1, revisionId: "rev_1", problem: null });
      expect(await infer()).toBe(200);
      const files = await readdir(path.join(folder, "board-server/artifacts"));
      expect(files.filter((name) => name.endsWith(".part"))).toEqual([]);
    },
  );

  it("drains when it is told to leave, and takes its socket with it", async () => {
    const death = start();
    await expect.poll(() => portal.polls.length, { timeout: 20_000 }).toBeGreaterThan(1);
    expect(existsSync(path.join(folder, "s"))).toBe(true);
    child?.kill("SIGTERM");
    await death;
    expect(existsSync(path.join(folder, "s"))).toBe(false);
  });
});
