import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "@/scripts/lib/home.mjs";
import { freePort } from "@/scripts/lib/ports.mjs";
import { until } from "@/tests/support/client";

// `npm start` itself, as a person runs it: what it says, what it survives, and what it leaves behind.

/** Where the user that Postgres runs as, for root, may pass. */
const folder = mkdtempSync("/tmp/bw-start-");
chmodSync(folder, 0o711);
const isRoot = process.getuid?.() === 0;
const home = join(folder, "home");
const faults = join(folder, "faults");
const armed = join(faults, "board-server.in-enrol");
let env = { ...process.env };
let portal = "";
let gateway = "";
let first: Launcher;

/** One run of the launcher. */
class Launcher {
  text = "";
  private readonly child: ChildProcess;
  readonly ended: Promise<number | null>;

  constructor(args: string[] = [], more: Record<string, string> = {}) {
    this.child = spawn(process.execPath, [join(root, "scripts/start.mjs"), ...args], {
      cwd: root,
      env: { ...env, ...more },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on("data", (bytes: Buffer) => {
        this.text += bytes.toString();
      });
    }
    this.ended = new Promise((resolve) => this.child.once("exit", resolve));
  }

  /** Ctrl-C. */
  interrupt() {
    this.child.kill("SIGINT");
  }

  /** Stops it where it is, until `thaw`. */
  freeze() {
    this.child.kill("SIGSTOP");
  }

  thaw() {
    this.child.kill("SIGCONT");
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async says(words: RegExp, timeoutMs = 180_000): Promise<void> {
    await until(
      String(words),
      async () => {
        if (words.test(this.text)) return true;
        if (!this.isRunning) throw new Error("it ended");
        return false;
      },
      timeoutMs,
    ).catch((error) => {
      throw new Error(`${error.message}\n${this.text}`);
    });
  }
}

/** Paths of the home that anybody but their owner may do anything with. */
function openPaths(): string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const found = lstatSync(path, { throwIfNoEntry: false });
      return found && !found.isSymbolicLink() && (found.mode & 0o077) !== 0;
    });
}

/** Id of a process of the launcher that holds the home. */
function pidOf(name: string): number {
  const { processes } = JSON.parse(readFileSync(join(home, "run/launcher.json"), "utf8"));
  return Number.parseInt(processes[name], 10);
}

async function api(path: string, init?: RequestInit) {
  const answer = await fetch(`${portal}/api/v1${path}`, init);
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? null : JSON.parse(text) };
}

const infer = () =>
  fetch(`${gateway}/v2/models/iris-mlp/infer`, {
    method: "POST",
    body: JSON.stringify({
      inputs: [{ name: "features", shape: [1, 4], datatype: "FP32", data: [5.1, 3.5, 1.4, 0.2] }],
    }),
  });

async function answersAgain() {
  await until("the portal and a prediction", async () => {
    const { status } = await api("/endpoints/iris-mlp");
    return status === 200 && (await infer()).status === 200;
  });
}

beforeAll(async () => {
  const ports = await Promise.all([1, 2, 3, 4].map(() => freePort()));
  const [portalPort, http, grpc, metrics] = ports.map(String);
  portal = `http://localhost:${portalPort}`;
  gateway = `http://localhost:${http}`;
  mkdirSync(faults);
  writeFileSync(armed, "");
  env = {
    ...process.env,
    BOARDWALK_HOME: home,
    BOARDWALK_STORAGE: "folder",
    PROOF_S: "0.1",
    READ_BACK: "off",
    TOOLS_DIR: process.env["TOOLS_DIR"] ?? join(root, ".boardwalk/tools"),
    PORTAL_PORT: portalPort,
    GATEWAY_HTTP_PORT: http,
    GATEWAY_GRPC_PORT: grpc,
    GATEWAY_METRICS_PORT: metrics,
    LEASE_S: "3",
    RENEW_S: "0.5",
    SWEEP_S: "0.5",
    GRACE_S: "1",
    // The board server dies once between its enrolment and remembering it.
    BOARDWALK_FAULTS: faults,
  };
  for (const name of ["DATABASE_URL", "REDIS_URL", "S3_ENDPOINT", "STORAGE_DIR"]) delete env[name];
  first = new Launcher();
  await first.says(/One prediction[\s\S]*Proof/, 600_000);
}, 600_000);

afterAll(async () => {
  first?.interrupt();
  await first?.ended;
  rmSync(folder, { recursive: true, force: true });
});

describe("npm start", () => {
  it("serves, deploys the sample and shows its first prediction", () => {
    expect(first.text).toMatch(/serves http:\/\/localhost/);
    expect(first.text).toMatch(/Deploying iris-mlp/);
    expect(existsSync(armed)).toBe(false);
  });

  it.each(["redis", "postgres", "keeper", "gateway", "control", "board-server"])(
    "starts %s again when it is killed, on the same data",
    async (name) => {
      const before = pidOf(name);
      process.kill(before, "SIGKILL");
      await until(`another ${name}`, async () => pidOf(name) !== before);
      await answersAgain();
      expect(first.isRunning).toBe(true);
    },
  );

  it("builds again after all that", async () => {
    const { status } = await api("/endpoints", {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": "after-the-storm" },
      body: JSON.stringify({
        name: "after",
        engine: "onnx",
        model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
        board: { model: "cpu", kind: "cpu" },
      }),
    });
    expect(status).toBe(202);
    await until("ready", async () => (await api("/endpoints/after")).body.state === "ready");
  });

  it("sweeps what the dead left in the temporary folder, and nothing of the living", async () => {
    const owners = () =>
      readdirSync(join(home, "tmp")).flatMap(
        (name) => /^bw-[0-9a-f]{4}-([0-9a-z]+)\./.exec(name)?.[1] ?? [],
      );
    const before = pidOf("board-server");
    await expect.poll(owners).toEqual([before.toString(36)]);
    process.kill(before, "SIGKILL");
    await until("a folder of the next one", async () => {
      const next = pidOf("board-server");
      return next !== before && owners().join() === next.toString(36);
    });
  });

  it("lets no other user look at anything, nor into a home of an older version", async () => {
    // Postgres's user passes the home, through its group and for nothing else.
    expect(lstatSync(home).mode & 0o777).toBe(isRoot ? 0o710 : 0o700);
    expect(openPaths()).toEqual([]);
    if (!isRoot) return;
    const asNobody = (command: string) =>
      spawnSync("/bin/sh", ["-c", command], { uid: 65534, gid: 65534, cwd: "/" }).status;
    const settings = join(home, "run/settings.json");
    for (const command of [`ls ${home}`, `ls ${home}/storage`, `cat ${settings}`]) {
      expect(asNobody(command), command).not.toBe(0);
    }
    expect(asNobody(`ls ${folder}/..`)).toBe(0);
  });

  it("waits for one that stops, serves though its sample is paused, and says so", async () => {
    const unloaded = await fetch(`${gateway}/v2/repository/models/iris-mlp/unload`, {
      method: "POST",
    });
    expect(unloaded.status).toBe(200);
    await until("paused", async () => (await api("/endpoints/iris-mlp")).body.state === "paused");
    const old = first;
    // It cannot end before this one does.
    const last = pidOf("gateway");
    process.kill(last, "SIGSTOP");
    old.interrupt();
    await old.says(/Stopping/);
    old.freeze();
    first = new Launcher();
    await first.says(/Another Boardwalk is stopping/);
    old.thaw();
    process.kill(last, "SIGCONT");
    expect(await old.ended).toBe(0);
    // On a busy machine the other one may still be on its way when that is said first.
    await first.says(
      /serves http:\/\/localhost[\s\S]*1 of 2 endpoints answer[\s\S]*iris-mlp is paused/,
    );
    expect(first.text).not.toMatch(/Deploying/);
  }, 400_000);

  it("tells a second one where it runs, and one that wants a prediction why there is none", async () => {
    const second = new Launcher();
    expect(await second.ended).toBe(0);
    expect(second.text).toContain(`runs already: ${portal}`);
    const once = new Launcher(["--once"]);
    expect(await once.ended).toBe(1);
    expect(once.text).toContain("iris-mlp is paused");
  }, 400_000);

  it("does not deploy its sample again once that was deleted, and ends with an error when a store cannot come back", async () => {
    expect((await api("/endpoints/iris-mlp", { method: "DELETE" })).status).toBe(202);
    await until("gone", async () => (await api("/endpoints/iris-mlp")).status === 404);
    first.interrupt();
    expect(await first.ended).toBe(0);
    // A home as an older version left it.
    chmodSync(home, 0o755);
    chmodSync(join(home, "storage"), 0o755);
    chmodSync(join(home, "logs/gateway.log"), 0o644);
    mkdirSync(join(home, "tmp/boardwalk-upload-AbCdEf"), { mode: 0o755 });
    const file = join(home, "run/settings.json");
    const settings = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...settings, private: undefined }));
    first = new Launcher([], { RESTART_PATIENCE_S: "1" });
    await first.says(/serves http:\/\/localhost[\s\S]*1 of 1 endpoints answer/);
    expect(first.text).not.toMatch(/Deploying/);

    expect(lstatSync(home).mode & 0o777).toBe(isRoot ? 0o710 : 0o700);
    expect(openPaths()).toEqual([]);
    expect(existsSync(join(home, "tmp/boardwalk-upload-AbCdEf"))).toBe(false);

    const { "port.redis": port } = settings;
    first.freeze();
    process.kill(pidOf("redis"), "SIGKILL");
    const thief = await listenOn(port);
    first.thaw();
    expect(await first.ended).toBe(1);
    expect(first.text).toContain("redis cannot be started again");
    thief.close();
  }, 400_000);
});

/** Takes a port as soon as it is free. */
async function listenOn(port: number): Promise<Server> {
  return until("the port", async () => {
    const server = createServer((socket) => socket.destroy());
    return new Promise<Server | false>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve(server));
    });
  });
}
