import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routes } from "@/app/api/v1/openapi.json/routes";
import { freePort } from "@/scripts/lib/ports.mjs";
import { audit } from "@/tests/support/audit";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { pair } from "@/tests/support/pair";
import { findStoreCalls, placesOf } from "@/tests/support/store-calls";
import { Walk } from "@/tests/support/walk";

// Every process is killed with SIGKILL before each call of a store, and after each that changes something, once; its launcher
// starts it again, and whoever asked asks again. At the end nothing of what was acknowledged is broken.

const { calls } = findStoreCalls();
const writes = calls
  .filter(({ isRead }) => !isRead)
  .flatMap(({ name }) => [`${name}.before`, `${name}.after`]);
/** Whoever dies after a read dies before what follows it. */
const reads = calls.filter(({ isRead }) => isRead).map(({ name }) => `${name}.before`);

/** Fewer kills than this prove little. */
const fewest = 120;
/** With so many kills, nobody waits longer for the rest. */
const mostMs = 15 * 60_000;

const folder = mkdtempSync(join(tmpdir(), "bw-walk-"));
const unknown = join(folder, "unknown");
const everArmed = new Set<string>();
function arm(points: readonly string[]): void {
  for (const point of points) {
    mkdirSync(dirname(join(folder, point)), { recursive: true });
    writeFileSync(join(folder, point), "");
    everArmed.add(point);
  }
}
/** A process that dies at a point takes its file away. */
const stillArmed = () => [...everArmed].filter((point) => existsSync(join(folder, point)));
const hits = () => everArmed.size - stillArmed().length;
const started = performance.now();
const minutes = () => ((performance.now() - started) / 60_000).toFixed(1);
const hookPort = await freePort();
const smtpPort = await freePort();
const smtp = new SMTPServer({
  disabledCommands: ["AUTH", "STARTTLS"],
  onData: (stream, _session, done) => {
    stream.resume();
    stream.once("end", () => done());
  },
});
let installation: Installation;
let walk: Walk;

beforeAll(async () => {
  await new Promise<void>((done) => smtp.listen(smtpPort, "127.0.0.1", done));
  writeFileSync(join(folder, "calls.json"), JSON.stringify(placesOf(calls)));
  installation = await startInstallation("walk", {
    mostPauseMs: 300,
    variables: {
      SOURCE_ALLOWED_HOSTS: `127.0.0.1:${hookPort}`,
      SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
      BOARD_SERVER_CPU_SLOTS: "32",
      BOARDWALK_FAULTS: folder,
    },
  });
  walk = await Walk.start(installation, hookPort);
});

afterAll(async () => {
  walk?.close();
  await new Promise<void>((done) => smtp.close(done));
  await installation?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe("processes killed at every call of a store", () => {
  it("come back by themselves, and finish what was begun", async () => {
    const isTime = () => performance.now() - started < mostMs || hits() < fewest;
    const progress = setInterval(() => console.log(`${minutes()} min: ${hits()} kills`), 60_000);
    let isDone = false;
    const building = (async () => {
      while (!isDone) await buildOne();
    })();
    try {
      for (const points of [writes, reads]) {
        arm(points);
        // Rounds, until two of them hit nothing new.
        for (let quiet = 0, before = hits(); quiet < 2 && isTime(); before = hits()) {
          await Promise.race([round(), building]);
          quiet = hits() > before ? 0 : quiet + 1;
        }
      }
    } finally {
      isDone = true;
      clearInterval(progress);
    }
    const kills = hits();
    const left = stillArmed();
    for (const point of left) rmSync(join(folder, point), { force: true });
    await building;
    console.log(
      `${kills} kills of ${everArmed.size} points in ${minutes()} min; not reached:\n${left.join("\n")}`,
    );
    expect(walk.broken).toEqual([]);
    expect(kills).toBeGreaterThanOrEqual(fewest);
  }, 7_200_000);

  it("at calls that are all known by name", () => {
    const places = existsSync(unknown) ? readFileSync(unknown, "utf8").split("\n") : [];
    expect([...new Set(places)].filter((place) => place !== "")).toEqual([]);
  });

  it("broke nothing of what was acknowledged", async () => {
    for (const id of walk.ledger.builds) await walk.endOf(id);
    for (const name of walk.ledger.endpoints) await walk.untilReady(name);
    const { checked, broken } = await audit(installation, walk.ledger, (name) =>
      walk.isAnswering(name),
    );
    console.log(`${checked} checked, ${broken.length} broken`);
    expect(broken).toEqual([]);
    expect(checked).toBeGreaterThan(100);
  });
});

/** A model from its upload to its deletion. */
async function buildOne(): Promise<void> {
  const model = await walk.upload();
  const { name, buildId } = await walk.deploy(model);
  const { state } = await walk.endOf(buildId);
  if (state === "succeeded") {
    await walk.untilReady(name);
    if (walk.ledger.endpoints.length < 3) {
      walk.ledger.endpoints.push(name);
      return;
    }
  }
  await walk.remove(name);
}

/** All that the portal offers, on things made for it. */
async function round(): Promise<void> {
  const model = await walk.upload();
  const { name, buildId } = await walk.deploy(model);
  const { artifactDigest } = (await walk.endOf(buildId)) as { artifactDigest?: string };
  await receivers();
  await recipes();
  await models();
  await builds(buildId);
  await endpoints(name, model);
  await boards();
  const board = (await walk.call("GET", "/boards")).body.items[0];
  const requests = (await walk.call("GET", `/endpoints/${name}/requests`)).body;
  const ids: Record<string, string | undefined> = {
    builds: buildId,
    artifacts: artifactDigest,
    endpoints: name,
    boards: board?.id,
    models: model.id,
    "board-models": "icebreaker",
    requests: requests.items?.[0]?.id,
  };
  for (const [path, handlers] of Object.entries(routes)) {
    if (!("GET" in handlers)) continue;
    const [, noun = ""] = path.split("/");
    const filled = path
      .replace("/requests/{id}", `/requests/${ids["requests"]}`)
      .replace(/\{(id|name)\}/, ids[noun] ?? "none")
      .replace("{role}", "manifest");
    await walk.call("GET", filled);
  }
  for (const path of ["/builds", "/models", "/artifacts", "/boards", "/endpoints"]) {
    await walk.call("GET", `${path}?format=csv`);
    await walk.call("GET", `${path}?sort=name`);
  }
  await walk.call("GET", `/builds/${buildId}/log`, { headers: { accept: "text/event-stream" } });
  await walk.call("GET", `/builds/${buildId}/log/search?text=a`);
  if (artifactDigest) await firmware(artifactDigest, name);
  await services(model.url);
  await walk.remove(name);
}

async function receivers(): Promise<void> {
  const events = ["build.succeeded", "build.failed"];
  const url = `http://127.0.0.1:${hookPort}/`;
  const hook = (await walk.call("POST", "/notifications/webhooks", { json: { url, events } })).body;
  const address = `who${Date.now()}@localhost.localdomain`;
  const mail = await walk.call("POST", "/notifications/recipients", { json: { address, events } });
  await walk.call("POST", `/notifications/webhooks/${hook.id}/test`);
  await walk.call("POST", `/notifications/recipients/${mail.body.id}/test`);
  const { buildId, name } = await walk.deploy(await walk.upload());
  await walk.call("POST", `/builds/${buildId}/notices`, {
    json: { receiver: hook.id, told: true },
  });
  await walk.endOf(buildId);
  await delay(500);
  const { items } = (await walk.call("GET", "/notifications/deliveries")).body;
  for (const { id } of items.slice(0, 2))
    await walk.call("POST", `/notifications/deliveries/${id}/redeliver`);
  await delay(500);
  await walk.call("DELETE", `/notifications/webhooks/${hook.id}`);
  await walk.call("DELETE", `/notifications/recipients/${mail.body.id}`);
  await walk.remove(name);
}

async function recipes(): Promise<void> {
  const json = { name: `recipe ${Date.now()}`, content: {} };
  await walk.call("POST", "/recipes", { json });
  const { items } = (await walk.call("GET", "/recipes")).body;
  const { id } = items[0];
  await walk.call("GET", `/recipes/${id}`);
  await walk.call("POST", `/recipes/${id}`, { json: { name: `other ${Date.now()}` } });
  await walk.call("DELETE", `/recipes/${id}`);
  await walk.call("POST", `/recipes/${id}/restore`);
}

async function models(): Promise<void> {
  const { id, url } = await walk.upload();
  const inspected = await walk.call("POST", "/models/inspect", { json: { url } });
  if (inspected.body.id) await walk.call("GET", `/models/inspections/${inspected.body.id}`);
  await walk.call("POST", `/models/${id}/look`);
  await walk.call("POST", `/models/${id}/aliases`, { json: { name: "champion" } });
  await walk.call("DELETE", `/models/${id}/aliases/champion`);
  await walk.call("POST", `/models/${id}/archive`, { json: { archived: true } });
  const request = { model: { url, card: pair.card }, board: "icebreaker" };
  const search = await walk.call("POST", "/searches", { json: request });
  for (let n = 0; n < 20 && search.body.id; n++) {
    await walk.call("GET", `/searches/${search.body.id}`);
    await delay(200);
  }
  const another = await walk.call("POST", "/searches", { json: { ...request, agreement: 0.5 } });
  await walk.call("DELETE", `/searches/${another.body.id}`);
  const rows = Buffer.from("a,b\n0.1,0.2\n0.3,0.4\n0.5,0.6\n");
  await walk.call("POST", "/rows?inputs=2", { file: ["rows.csv", rows] });
  await walk.call("DELETE", `/models/${id}`);
}

async function builds(ended: string): Promise<void> {
  const asked = { engine: "onnx", model: { url: "s3://x/y", digest: undefined } };
  await walk.call("POST", `/builds/${ended}/labels`, { json: { labels: ["walk"] } });
  await walk.call("POST", "/forecasts/equal", { json: asked });
  const again = await walk.call("POST", `/builds/${ended}/retry`);
  if (again.body?.id) {
    walk.ledger.builds.push(again.body.id);
    await walk.endOf(again.body.id);
  }
  const { name, buildId } = await walk.deploy(await walk.upload());
  await walk.call("POST", `/builds/${buildId}/priority`, { json: { priority: "high" } });
  await walk.call("POST", `/builds/${buildId}/cancel`);
  await walk.endOf(buildId);
  await walk.remove(name);
}

async function endpoints(name: string, model: { url: string }): Promise<void> {
  await walk.call("POST", `/endpoints/${name}/payloads`);
  const inputs = [{ name: "v0", shape: [1, 2], datatype: "FP32", data: [0.5, -0.25] }];
  await walk.call("POST", `/endpoints/${name}/predict`, { json: { inputs } });
  await walk.call("POST", `/endpoints/${name}/float`, { json: { inputs } });
  for (let n = 0; n < 5; n++) await walk.isAnswering(name);
  const revision = {
    engine: "onnx",
    model: { url: model.url, card: pair.card },
    board: { model: "cpu", kind: "cpu" },
    replicas: 2,
  };
  const revised = await walk.call("POST", `/endpoints/${name}/revisions`, { json: revision });
  if (revised.body.buildId) {
    walk.ledger.builds.push(revised.body.buildId);
    await walk.endOf(revised.body.buildId);
  }
  await walk.call("POST", `/endpoints/${name}/rollback`, { json: { revision: 1 } });
  await walk.call("POST", `/endpoints/${name}/pause`);
  await walk.call("POST", `/endpoints/${name}/resume`);
  await walk.call("DELETE", `/endpoints/${name}/payloads`);
}

async function boards(): Promise<void> {
  const { items } = (await walk.call("GET", "/boards")).body;
  for (const { id } of items.slice(0, 1)) {
    for (const path of ["blink", "self-test", "reload"])
      await walk.call("POST", `/boards/${id}/${path}`);
    await walk.call("POST", `/boards/${id}/drain`, { json: { loaded: "keep" } });
    await walk.call("POST", `/boards/${id}/resume`);
  }
  await walk.call("POST", "/boards/enrolments", { json: {} });
  const attached = await walk.call("POST", "/boards/attachments", {
    json: {
      boardModel: items[0]?.boardModel ?? "cpu",
      address: "127.0.0.1:1",
      bitstream: "trial.bit",
      inputs: [1, 2],
    },
  });
  if (attached.body.id) await walk.call("DELETE", `/boards/attachments/${attached.body.id}`);
}

async function firmware(digest: string, name: string): Promise<void> {
  await walk.call("POST", `/artifacts/${digest}/pin`, { json: { pinned: true } });
  await walk.call("POST", `/artifacts/${digest}/pin`, { json: { pinned: false } });
  const archive = await walk.call("GET", `/artifacts/${digest}/archive`);
  await walk.remove(name);
  await delay(1000);
  await walk.call("DELETE", `/artifacts/${digest}`);
  if (archive.status === 200)
    await walk.call("POST", "/artifacts", { file: ["firmware.tar", archive.body] });
}

async function services(url: string): Promise<void> {
  const isvcname = `isvc-${Date.now()}`;
  await walk.call("POST", "/~/create_isvc", { json: { isvcname, isvctype: "onnx", url } });
  await walk.call("GET", "/~/list_isvc");
  await walk.call("POST", "/~/delete_isvc", { json: { isvcname } });
}
