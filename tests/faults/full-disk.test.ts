import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Build } from "@/lib/common/contract";
import { audit, type Ledger } from "@/tests/support/audit";
import { deploy, predict, saying, until, untilReady, upload } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { pair } from "@/tests/support/pair";
import { moveToSmallDisk, type SmallDisk } from "@/tests/support/small-disk";
import { chooseSandbox, runTool, type Tool } from "@/workers/builds/tools";

// The data folder of Postgres lies on a disk of its own, which really has no block left.

const mostSubmits = 2000;
const ledger: Ledger = { builds: [], endpoints: [] };
let installation: Installation;
let disk: SmallDisk;
let model = { url: "" };

/** The folder that the running server was told to keep its data in. */
function dataFolder(): string {
  const pid = installation.stores.pids.get("postgres");
  const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  return words[words.indexOf("-D") + 1] as string;
}

beforeAll(async () => {
  installation = await startInstallation("full-disk", {
    variables: { BOARD_SERVER_CPU_SLOTS: "32", GRACE_S: "5" },
  });
  const folder = dataFolder();
  await installation.stores.restart("postgres", {
    before: async () => {
      disk = moveToSmallDisk(folder, 40 * 2 ** 20);
    },
  });
  await until("the portal", async () => (await installation.api("/builds")).status === 200);
  model = (await upload(installation, "model.onnx", saying(pair.model, "full disk"))).body;
});
afterAll(async () => {
  // A folder with a disk in it cannot be removed, nor the disk taken from whoever works on it.
  await installation?.processes.stopAll(8000);
  await installation?.stores.stop();
  disk?.close();
  await installation?.stop();
});

const requestOf = (name: string) => ({
  name,
  engine: "onnx",
  model: { url: model.url, card: pair.card },
  board: { model: "cpu", kind: "cpu" },
});

const post = (name: string) =>
  fetch(`${installation.portalUrl}/api/v1/endpoints`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": name, prefer: "wait=0" },
    body: JSON.stringify(requestOf(name)),
  });

/** Submits until one is refused; what was acknowledged is written down. */
async function submitUntilRefused(): Promise<{ name: string; answer: Response }> {
  for (let n = 0; n < mostSubmits; n++) {
    const name = `full-${n}`;
    const answer = await post(name);
    if (answer.status !== 202) return { name, answer };
    const { buildId } = (await answer.json()) as { buildId: string };
    ledger.builds.push(buildId);
  }
  throw new Error(`${mostSubmits} submits found room on a full disk`);
}

describe("Postgres whose disk is full", () => {
  it("refuses a submit with 503, makes nothing of it, and goes on by itself once there is room", async () => {
    const { buildId } = await deploy(installation, requestOf("before"));
    ledger.builds.push(buildId);
    ledger.endpoints.push("before");
    await untilReady(installation, "before");

    disk.fill();
    const { name, answer } = await submitUntilRefused();
    const body = await answer.json();
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(body).toMatchObject({ error: { reason: "STORE_UNAVAILABLE" } });
    expect(readFileSync(installation.home.logFile("postgres"), "utf8")).toMatch(
      /No space left on device/,
    );
    // What serves needs no row.
    expect((await predict(installation, "before", pair.row)).status).toBe(200);

    disk.empty();
    const missing = await until("the portal", async () => {
      const { status, body } = await installation.api(`/endpoints/${name}`);
      return status < 500 && { status, body };
    });
    expect(missing).toMatchObject({ status: 404, body: { error: { reason: "ENDPOINT_UNKNOWN" } } });
    const again = await deploy(installation, requestOf(name), name);
    ledger.builds.push(again.buildId);
    for (const id of ledger.builds)
      await until(`the end of ${id}`, async () => {
        const { body } = await installation.api(`/builds/${id}`);
        return (body as { state: string }).state === "succeeded";
      });
    const { checked, broken } = await audit(
      installation,
      ledger,
      async (each) => (await predict(installation, each, pair.row)).status === 200,
    );
    console.log(`${checked} checked, ${broken.length} broken`);
    expect(broken).toEqual([]);
  }, 300_000);
});

describe("A build worker whose disk is full", () => {
  const buildOf = async (id: string): Promise<Build> =>
    (await installation.api(`/builds/${id}`)).body;

  it("hands its build back until there is room, and four times at most", async () => {
    const folder = installation.home.at("work");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    await installation.processes.stop("build-worker");
    const work = moveToSmallDisk(folder, 2 ** 20);
    try {
      work.fill();
      installation.processes.start("build-worker");
      const mended = await deploy(installation, requestOf("mended"));
      await until("a second attempt", async () => {
        const { attempt, state } = await buildOf(mended.buildId);
        return (attempt ?? 0) >= 2 && state !== "failed";
      });
      work.empty();
      const build = await until("its end", async () => {
        const seen = await buildOf(mended.buildId);
        return seen.endedAt !== null && seen;
      });
      expect(build).toMatchObject({ state: "succeeded", problem: null });

      work.fill();
      const { buildId } = await deploy(installation, requestOf("never"));
      const failed = await until(
        "the end of one that never finds room",
        async () => {
          const seen = await buildOf(buildId);
          return seen.endedAt !== null && seen;
        },
        300_000,
      );
      expect(failed).toMatchObject({
        state: "failed",
        attempt: 4,
        problem: { reason: "NO_SPACE", message: "The disk is full." },
      });
    } finally {
      work.close();
    }
  }, 600_000);
});

describe("A tool that meets a full disk", () => {
  it("has not failed for good, whatever it says of it", async () => {
    const work = mkdtempSync(join(tmpdir(), "bw-full-"));
    const small = moveToSmallDisk(work, 2 ** 20);
    const sandbox = await chooseSandbox("auto");
    const tool: Tool = {
      command: "writer",
      version: "1",
      needs: [],
      argv: () => ["/bin/sh", "-c", "head -c 500000 /dev/zero > out || exit 3"],
    };
    const run = () =>
      runTool({
        ...{ tool, sandbox, work, args: [], reads: [], produces: ["out"], timeoutS: 60 },
        signal: new AbortController().signal,
        onOutput: () => {},
      });
    try {
      await run();
      rmSync(join(work, "out"));
      small.fill();
      const error = await run().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ reason: "NO_SPACE", cause: { code: "ENOSPC" } });
      small.empty();
      await run();
    } finally {
      small.close();
      rmSync(work, { recursive: true, force: true });
    }
  }, 60_000);
});
