import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FaultPoint, faultPoints } from "@/lib/server/process";
import { freePort } from "@/scripts/lib/ports.mjs";
import { audit, type Ledger } from "@/tests/support/audit";
import { deploy, predict, saying, until, untilReady, upload } from "@/tests/support/client";
import { bare } from "@/tests/support/domain";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { pair } from "@/tests/support/pair";

// Each process is killed with SIGKILL by its own id at a named point, seen to be hit, started again plainly, and an audit
// over everything that was acknowledged finds nothing broken.

const folder = mkdtempSync(join(tmpdir(), "bw-faults-"));
const { row } = pair;
const ledger: Ledger = { builds: [], endpoints: [] };
let installation: Installation;
let serial = 0;
/** An endpoint on a simulated board. */
let firmware = "";

const hits = new Set<FaultPoint>();

const hookPort = await freePort();

/** Somebody who is told of builds, with the ids of the messages about each. */
async function receiver({ api }: Installation) {
  const got: { delivery: string; buildId: string }[] = [];
  const server = createServer(async (request, response) => {
    const { data } = JSON.parse(await text(request)) as { data: { build: { id: string } } };
    got.push({ delivery: `${request.headers["boardwalk-delivery"]}`, buildId: data.build.id });
    response.end();
  });
  await new Promise<void>((done) => server.listen(hookPort, "127.0.0.1", done));
  const made = await api("/notifications/webhooks", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: `http://127.0.0.1:${hookPort}/`, events: ["build.succeeded"] }),
  });
  expect(made.status).toBe(201);
  const { id } = made.body as { id: string };
  return {
    ids: (buildId: string) =>
      got.filter((each) => each.buildId === buildId).map(({ delivery }) => delivery),
    close: async () => {
      await api(`/notifications/webhooks/${id}`, { method: "DELETE" });
      server.close();
    },
  };
}

function arm(point: FaultPoint) {
  writeFileSync(join(folder, point), "");
}

async function seen(point: FaultPoint) {
  await until(`${point} hit`, async () => !existsSync(join(folder, point)), 120_000);
  hits.add(point);
}

/** A deploy of a model nobody built before, on the CPU: quick, and through every step but the tools. */
async function deployFresh(engine: "onnx" | "boardwalk" = "onnx", clockHz = 24_000_000) {
  serial += 1;
  const name = `fault-${serial}`;
  const model = await upload(installation, "model.onnx", saying(pair.model, `fault ${serial}`));
  expect(model.status).toBe(201);
  const { buildId } = await deploy(installation, {
    name,
    engine,
    model: { url: model.body.url, card: pair.card },
    board:
      engine === "onnx"
        ? { model: "cpu", kind: "cpu" }
        : { model: "icebreaker", kind: "simulated" },
    ...(engine === "onnx" ? {} : { options: { clockHz } }),
  });
  ledger.builds.push(buildId);
  ledger.endpoints.push(name);
  return { name, buildId };
}

/** Processes of tools that work in the folder of a build. */
const toolsOf = (buildId: string): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).includes(bare(buildId));
      } catch {
        return false;
      }
    });

/** Takes the oldest endpoint away: the CPU board has eight slots. */
async function makeRoom() {
  const name = ledger.endpoints.shift() as string;
  const { status } = await installation.api(`/endpoints/${name}`, { method: "DELETE" });
  expect(status).toBe(202);
}

beforeAll(async () => {
  arm("board-server.in-enrol");
  installation = await startInstallation("faults", {
    // A tool is killed while it runs.
    steps: "own",
    variables: {
      SOURCE_ALLOWED_HOSTS: `127.0.0.1:${hookPort}`,
      BOARDWALK_FAULTS: folder,
    },
  });
}, 180_000);

afterAll(async () => {
  await installation?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe("a process killed at a named point", () => {
  it("board-server.in-enrol: it enrols all the same, with a code of its next start", async () => {
    await seen("board-server.in-enrol");
    await until("a board", async () => {
      const { body } = await installation.api("/boards");
      return (body as { items: { state: string }[] }).items.some(
        ({ state }) => state !== "offline",
      );
    });
  });

  const inBuild: FaultPoint[] = [
    "worker.before-claim",
    "worker.in-fetch",
    "worker.after-upload",
    "worker.after-commit",
    "control.after-add",
    "portal.after-commit",
    "board-server.in-download",
    "board-server.in-load",
  ];
  it.each(inBuild)(
    "%s: the build ends once and the endpoint answers",
    async (point) => {
      arm(point);
      const { name } = await deployFresh();
      await seen(point);
      await untilReady(installation, name);
      const answer = await until("an answer", async () => {
        const got = await predict(installation, name, row);
        return got.status === 200 && got;
      });
      expect(answer.values).toHaveLength(2);
    },
    180_000,
  );

  const sends: FaultPoint[] = ["control.before-send", "control.after-send"];
  it.each(sends)(
    "%s: whoever is told of builds hears of this one, always under the same id",
    async (point) => {
      await makeRoom();
      const told = await receiver(installation);
      arm(point);
      const { buildId } = await deployFresh();
      await seen(point);
      await until("the message", async () => told.ids(buildId).length > 0, 90_000);
      await until(
        "what came of it",
        async () => {
          const { body } = await installation.api("/notifications/deliveries");
          const { items } = body as { items: { buildId: string; state: string }[] };
          return items.find((each) => each.buildId === buildId)?.state === "delivered";
        },
        90_000,
      );
      expect(new Set(told.ids(buildId)).size).toBe(1);
      expect(told.ids(buildId)).toHaveLength(point === "control.after-send" ? 2 : 1);
      await told.close();
    },
    180_000,
  );

  it("worker.in-yosys, then worker.in-nextpnr: the build starts over and is proven", async () => {
    arm("worker.in-yosys");
    const { name } = await deployFresh("boardwalk");
    firmware = name;
    await seen("worker.in-yosys");
    arm("worker.in-nextpnr");
    await seen("worker.in-nextpnr");
    const endpoint = await untilReady(installation, name, 240_000);
    expect(endpoint.proof?.mismatches).toBe(0);
    expect((await predict(installation, name, row)).status).toBe(200);
  }, 400_000);

  // A model on the CPU is a process of its own; a simulated board is a thread of its board server.
  it.each(["gateway.in-infer", "board-server.in-infer"] as const)(
    "%s: the request fails, the endpoint comes back by itself",
    async (point) => {
      const name = point === "board-server.in-infer" ? firmware : (ledger.endpoints[0] as string);
      arm(point);
      const first = await predict(installation, name, row).catch(() => ({ status: 0 }));
      expect([0, 503]).toContain(first.status);
      await seen(point);
      const again = await until("an answer", async () => {
        const got = await predict(installation, name, row);
        return got.status === 200 && got;
      });
      expect(again.status).toBe(200);
    },
    180_000,
  );

  it("Redis killed and started again empty during a build: nothing is lost", async () => {
    const { name, buildId } = await deployFresh("boardwalk", 12_000_000);
    await until("running", async () => {
      const { body } = await installation.api(`/builds/${buildId}`);
      return (body as { state: string }).state === "running";
    });
    await installation.stores.restart("redis", {
      before: async () =>
        rmSync(installation.home.at("redis", "appendonlydir"), { recursive: true, force: true }),
    });
    await untilReady(installation, name, 240_000);
    const { body } = await installation.api(`/builds/${buildId}`);
    expect(body).toMatchObject({ state: "succeeded", attempt: 1 });
    await makeRoom();
    const next = await deployFresh();
    await untilReady(installation, next.name);
  }, 400_000);

  it("Postgres killed and started again while a tool runs: the tool goes on, and its attempt ends the build", async () => {
    const { name, buildId } = await deployFresh("boardwalk", 36_000_000);
    // Held, so that it is not done before Postgres is back.
    const tools = await until("a tool", async () => {
      const found = toolsOf(buildId);
      for (const pid of found) process.kill(pid, "SIGSTOP");
      return found.length > 0 && found;
    });
    await installation.stores.restart("postgres");
    for (const pid of tools) process.kill(pid, "SIGCONT");
    await untilReady(installation, name, 240_000);
    const { body } = await installation.api(`/builds/${buildId}`);
    expect(body).toMatchObject({ state: "succeeded", attempt: 1 });
  }, 400_000);

  it("hit every point there is", () => {
    expect(faultPoints.filter((point) => !hits.has(point))).toEqual([]);
  });

  it("broke nothing of what was acknowledged", async () => {
    for (const name of ledger.endpoints) await untilReady(installation, name);
    const { checked, broken } = await audit(
      installation,
      ledger,
      async (name) => (await predict(installation, name, row)).status === 200,
    );
    console.log(`${checked} checked, ${broken.length} broken`);
    expect(broken).toEqual([]);
    expect(checked).toBeGreaterThan(0);
  });
});
