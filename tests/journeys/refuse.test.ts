import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildSchema } from "@/lib/common/contract";
import { FileStore, type ObjectStore, S3Store, uploadsBucket } from "@/lib/server/storage";
import { badFiles } from "@/tests/bad-input/table";
import { deploy, predict, saying, until, untilReady, upload } from "@/tests/support/client";
import { scope } from "@/tests/support/domain";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { denseOnnx } from "@/tests/support/onnx";
import { pair } from "@/tests/support/pair";
import { breakOff, exchange } from "@/tests/support/raw";

// What must be refused, through the whole of Boardwalk: the exact answer, and that nothing is stored or left behind.

const fixtures = "tests/fixtures/bad";
const tls = (name: string) => readFileSync(join("tests/fixtures/tls", name), "utf8");
const cpu = { model: "cpu", kind: "cpu" };
const icebreaker = { model: "icebreaker", kind: "simulated" };
const iris = { url: "s3://boardwalk-samples/iris-mlp/model.onnx" };
const good = { name: "refused", engine: "boardwalk", model: iris, board: icebreaker };
let installation: Installation;
let database: pg.Client;
let store: ObjectStore;

/** A web server for models with a certificate of our own authority. */
const source = createServer(
  { cert: tls("server.pem"), key: tls("server.key") },
  (request, response) => {
    if (request.url === "/redirect/model.onnx") {
      response.writeHead(302, { location: `https://127.0.0.1:${strangerPort()}/model.onnx` });
      return response.end();
    }
    if (request.url === "/model.onnx")
      return response.end(readFileSync("public/samples/iris-mlp/model.onnx"));
    response.writeHead(404);
    return response.end();
  },
);
let strangers = 0;
const stranger = createTcpServer((socket) => {
  strangers += 1;
  socket.destroy();
});
const strangerPort = () => (stranger.address() as AddressInfo).port;

beforeAll(async () => {
  for (const server of [source, stranger]) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
  installation = await startInstallation("refuse", {
    // Cancelling in the middle of a tool needs one that runs.
    steps: "own",
    variables: {
      SOURCE_ALLOWED_HOSTS: `127.0.0.1:${(source.address() as AddressInfo).port}`,
      SOURCE_CA_FILE: join(process.cwd(), "tests/fixtures/tls/ca.pem"),
    },
  });
  database = new pg.Client(installation.variables["DATABASE_URL"]);
  await database.connect();
  const { STORAGE_DIR, S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY, S3_REGION } =
    installation.variables;
  store = STORAGE_DIR
    ? new FileStore(STORAGE_DIR)
    : new S3Store({
        endpoint: S3_ENDPOINT ?? "",
        accessKey: S3_ACCESS_KEY ?? "",
        secretKey: S3_SECRET_KEY ?? "",
        region: S3_REGION ?? "",
      });
  await store.put("boardwalk-samples", "pair/model.onnx", pair.model, {
    sizeBytes: pair.model.length,
  });
  for (const name of readdirSync(fixtures)) {
    const bytes = readFileSync(join(fixtures, name));
    await store.put("boardwalk-samples", `bad/${name}`, bytes, { sizeBytes: bytes.length });
  }
}, 180_000);

afterAll(async () => {
  await database?.end();
  await installation?.stop();
  source.close();
  stranger.close();
});

const models = async () =>
  (await database.query("SELECT count(*)::int AS n FROM model")).rows[0].n as number;
const leftovers = () => {
  const work = installation.home.at("work");
  return existsSync(work)
    ? readdirSync(work, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    : [];
};
type Refusal = { error: { reason: string; message: string; hint?: string } };

describe.each(Object.entries(badFiles))("%s", (name, { reason, says }) => {
  it("is refused at upload, and nothing is stored", async () => {
    const before = await models();
    const { status, body } = await upload(installation, name, readFileSync(join(fixtures, name)));
    expect({ status: Math.floor(status / 100), reason: body.error?.reason }).toEqual({
      status: 4,
      reason,
    });
    for (const words of says) expect(body.error?.message).toContain(words);
    expect(await models()).toBe(before);
  });

  it("is refused at inspection and by a build, and leaves nothing in a work folder", async () => {
    const url = `s3://boardwalk-samples/bad/${name}`;
    const inspected = await installation.api("/models/inspect", {
      method: "POST",
      body: JSON.stringify({ url }),
    });
    expect((inspected.body as Refusal).error.reason).toBe(reason);
    const endpoint = `bad-${name.replaceAll(/[^a-z0-9]+/g, "-")}`;
    const { buildId } = await deploy(installation, {
      name: endpoint,
      engine: "onnx",
      model: { url },
      board: cpu,
    });
    const build = await until("its end", async () => {
      const seen = buildSchema.parse((await installation.api(`/builds/${buildId}`)).body);
      return seen.endedAt !== null && seen;
    });
    expect({ state: build.state, reason: build.problem?.reason }).toEqual({
      state: "failed",
      reason,
    });
    for (const words of says) expect(build.problem?.message).toContain(words);
    expect(leftovers()).toEqual([]);
  });
});

it("ends the connection of a body that goes on past its limit, once it has said so", async () => {
  const body = `800000\r\n${"x".repeat(0x800000)}\r\n`;
  const { port } = new URL(installation.portalUrl);
  const head = [
    "POST /api/v1/endpoints HTTP/1.1",
    `Host: localhost:${port}`,
    "Content-Type: application/json",
    "Transfer-Encoding: chunked",
  ];
  const answer = await exchange(Number(port), `${head.join("\r\n")}\r\n\r\n${body}`);
  expect(answer).toMatchObject({ statuses: [413], closed: true });
  expect(answer.text).toMatch(/^connection: close\r$/im);
  expect(answer.text).toContain("BODY_TOO_LARGE");
});

it("refuses a method that a route or a page does not have in its own words", async () => {
  const ask = async (method: string, path: string) => {
    const answer = await fetch(`${installation.portalUrl}${path}`, { method });
    const { error } = (await answer.json()) as { error: Record<string, string> };
    const { reason, message } = error;
    return { status: answer.status, allow: answer.headers.get("allow"), reason, message };
  };
  expect(await ask("DELETE", "/api/v1/engines?x=1")).toEqual({
    status: 405,
    allow: "GET, HEAD, OPTIONS",
    reason: "METHOD_NOT_ALLOWED",
    message: "/api/v1/engines does not take DELETE.",
  });
  expect(await ask("DELETE", "/builds")).toMatchObject({ status: 405, allow: "GET, HEAD" });
  expect(await ask("PATCH", "/api/v1/nothing")).toMatchObject({ status: 404 });
});

describe("a valid model with a loop", () => {
  it("is served on the CPU and refused for the FPGA, naming the operator", async () => {
    const url = "s3://boardwalk-samples/bad/loop-op.onnx";
    await deploy(installation, { name: "loop-cpu", engine: "onnx", model: { url }, board: cpu });
    const endpoint = (await untilReady(installation, "loop-cpu")) as unknown as {
      inputs: { name: string; shape: number[] }[];
    };
    const [input] = endpoint.inputs;
    const row = Array.from({ length: Math.abs(input?.shape.at(-1) ?? 1) }, (_, index) => index + 1);
    const { status, values, error } = await predict(installation, "loop-cpu", {
      name: input?.name ?? "",
      row,
    });
    expect({ status, error }).toEqual({ status: 200, error: undefined });
    expect(values).toEqual(row.map((value) => 8 * value));
    const { buildId } = await deploy(installation, {
      name: "loop-fpga",
      engine: "boardwalk",
      model: { url },
      board: icebreaker,
    });
    const build = await until("its end", async () => {
      const seen = buildSchema.parse((await installation.api(`/builds/${buildId}`)).body);
      return seen.endedAt !== null && seen;
    });
    expect(build.problem?.reason).toBe("OPERATOR_UNSUPPORTED");
    expect(build.problem?.message).toMatch(/Loop.*loop|loop.*Loop/);
    expect(build.problem?.hint).toMatch(/CPU/);
  });
});

describe("a model too large for the board", () => {
  it("is told by how much, and what would fit", async () => {
    const model = await upload(installation, "wide.onnx", denseOnnx([784, 64, 10]));
    expect(model.status).toBe(201);
    const { buildId } = await deploy(installation, {
      name: "too-wide",
      engine: "boardwalk",
      model: { url: model.body.url },
      board: icebreaker,
    });
    const build = await until("its end", async () => {
      const seen = buildSchema.parse((await installation.api(`/builds/${buildId}`)).body);
      return seen.endedAt !== null && seen;
    });
    expect(build.problem?.reason).toBe("MODEL_TOO_LARGE");
    expect(build.problem?.message).toMatch(/needs \d+ block RAMs of 30 on iCEBreaker/);
    expect(build.problem?.hint).toMatch(/784-\d+-10 would fit/);
    expect(build.stages.find(({ name }) => name === "synthesise")?.state).not.toBe("succeeded");
    const endpoint = await until("the endpoint's end", async () => {
      const { body } = await installation.api("/endpoints/too-wide");
      return (body as { state: string }).state === "failed" && body;
    });
    expect(endpoint).toMatchObject({ problem: { reason: "MODEL_TOO_LARGE" } });
  });
});

describe("a request that cannot be", () => {
  it.each([
    ["a malformed name", { ...good, name: "Not A Name" }, 422, "NAME_INVALID"],
    ["an unknown engine", { ...good, engine: "magic" }, 422, "ENGINE_UNKNOWN"],
    [
      "an unknown board",
      { ...good, board: { model: "nope", kind: "simulated" } },
      422,
      "BOARD_UNKNOWN",
    ],
    ["an FPGA engine on a CPU", { ...good, board: cpu }, 422, "COMBINATION_UNSUPPORTED"],
    ["a CPU engine on an FPGA", { ...good, engine: "onnx" }, 422, "COMBINATION_UNSUPPORTED"],
    [
      "a real board that is not connected",
      { ...good, board: { model: "icebreaker", kind: "physical" } },
      503,
      "NO_BOARD_FREE",
    ],
    ["an unknown option", { ...good, options: { speed: 9 } }, 422, "OPTION_INVALID"],
    [
      "a loopback source",
      { ...good, model: { url: "https://127.0.0.1:1/model.onnx" } },
      422,
      "URL_NOT_ALLOWED",
    ],
    [
      "a file on this machine",
      { ...good, model: { url: "file:///etc/passwd" } },
      422,
      "URL_NOT_ALLOWED",
    ],
    [
      "the bucket of artifacts",
      { ...good, model: { url: "s3://artifacts/x" } },
      422,
      "URL_NOT_ALLOWED",
    ],
    ["an unknown field", { ...good, color: "red" }, 422, "VALIDATION"],
  ])("%s is answered precisely", async (_, body, status, reason) => {
    const answer = await installation.api("/endpoints", {
      method: "POST",
      body: JSON.stringify(body),
    });
    expect({ status: answer.status, reason: (answer.body as Refusal).error.reason }).toEqual({
      status,
      reason,
    });
  });

  it("a taken name is 409", async () => {
    await deploy(installation, { name: "taken", engine: "onnx", model: iris, board: cpu });
    const answer = await installation.api("/endpoints", {
      method: "POST",
      body: JSON.stringify({ ...good, name: "taken" }),
    });
    expect({ status: answer.status, reason: (answer.body as Refusal).error.reason }).toEqual({
      status: 409,
      reason: "NAME_TAKEN",
    });
  });
});

describe("a browser that leaves", () => {
  const boundary = "----leaves";
  const count = async (text: string, values: readonly string[] = []) =>
    (await database.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${text}`, [...values]))
      .rows[0]?.n;
  const objects = async () => {
    const keys: string[] = [];
    for await (const { key } of store.list(uploadsBucket(scope))) keys.push(key);
    return keys.length;
  };
  const requestOf = (path: string, type: string, key: string, body: Uint8Array | string) => {
    const { host, port } = new URL(installation.portalUrl);
    const head = [
      `POST /api/v1${path} HTTP/1.1`,
      `Host: ${host}`,
      `Content-Type: ${type}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Idempotency-Key: ${key}`,
      "Prefer: wait=0",
      "\r\n",
    ].join("\r\n");
    const bytes = Buffer.concat([Buffer.from(head), Buffer.from(body)]);
    /** Sends all but so many bytes of the body. */
    return async (lacking: number, how: "reset" | "close") =>
      await breakOff(
        Number(port),
        bytes.subarray(0, bytes.length - lacking).toString("latin1"),
        how,
      );
  };

  it("in the middle of an upload leaves nothing", async () => {
    const bytes = Buffer.from(saying(pair.model, "left in the middle"));
    const body = Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="left.onnx"\r\nContent-Type: application/octet-stream\r\n\r\n`,
      ),
      bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    // A build that runs meanwhile may note the model that it fetched.
    const uploaded = () => count("model WHERE source LIKE 'file:%'");
    const before = [await uploaded(), await objects()];
    const send = requestOf("/models", `multipart/form-data; boundary=${boundary}`, "left", body);
    for (const how of ["reset", "close"] as const)
      for (const lacking of [body.length, body.length >> 1, 8]) await send(lacking, how);
    // Whoever stays is served, and is the only one of whom something stays.
    expect((await upload(installation, "stays.onnx", saying(pair.model, "stays"))).status).toBe(
      201,
    );
    expect([await uploaded(), await objects()]).toEqual(before.map((each) => (each ?? 0) + 1));
    const files = () =>
      readdirSync(installation.home.at("tmp")).filter((name) => name.includes("-upload-"));
    await until("no file of theirs", async () => files().length === 0);
  });

  it("in the middle of a submit makes nothing; right after it, one build at most", async () => {
    const builds = (name: string) => count("build WHERE endpoint_name = $1", [name]);
    for (const how of ["reset", "close"] as const) {
      const request = { ...good, engine: "onnx", board: cpu, name: `left-${how}` };
      const body = JSON.stringify(request);
      const send = requestOf("/endpoints", "application/json", request.name, body);
      await send(body.length >> 1, how);
      await send(1, how);
      // The answer to another request comes after what was read of these.
      expect((await installation.api("/builds")).status).toBe(200);
      expect(await builds(request.name)).toBe(0);
      await send(0, how);
      await deploy(installation, request, request.name);
      expect(await builds(request.name)).toBe(1);
      await installation.api(`/endpoints/${request.name}`, { method: "DELETE" });
    }
  });
});

describe("a source over https", () => {
  const base = () => `https://127.0.0.1:${(source.address() as AddressInfo).port}`;
  it("is taken from a listed host", async () => {
    const answer = await installation.api("/models/inspect", {
      method: "POST",
      body: JSON.stringify({ url: `${base()}/model.onnx` }),
    });
    expect(answer.status).toBe(200);
  });
  it("is not followed to loopback, and nobody there is called", async () => {
    const answer = await installation.api("/models/inspect", {
      method: "POST",
      body: JSON.stringify({ url: `${base()}/redirect/model.onnx` }),
    });
    expect((answer.body as Refusal).error.reason).toBe("SOURCE_NOT_ALLOWED");
    expect(strangers).toBe(0);
  });
});

describe("cancel", () => {
  it.each([
    "fetch",
    "inspect",
    "plan",
    "simulate",
    "verify",
    "synthesise",
    "place",
    "pack",
    "store",
  ])(
    "in %s ends the build and leaves no process",
    async (stage) => {
      const name = `cancel-${stage}`;
      const { buildId } = await deploy(installation, {
        name,
        engine: "boardwalk",
        model: { url: "s3://boardwalk-samples/pair/model.onnx", card: pair.card },
        board: icebreaker,
        options: { clockHz: 24_000_000 },
      });
      const seen = await until(
        "the stage",
        async () => {
          const build = buildSchema.parse((await installation.api(`/builds/${buildId}`)).body);
          const now = build.stages.find((each) => each.name === stage);
          return (build.endedAt !== null || (now && now.state !== "waiting")) && build;
        },
        240_000,
      );
      const answer = await installation.api(`/builds/${buildId}/cancel`, {
        method: "POST",
        body: "{}",
      });
      if (seen.endedAt === null) expect([202, 409]).toContain(answer.status);
      const build = await until(
        "its end",
        async () => {
          const now = buildSchema.parse((await installation.api(`/builds/${buildId}`)).body);
          return now.endedAt !== null && now;
        },
        60_000,
      );
      if (answer.status === 202) expect(build.state).toBe("cancelled");
      await until(
        "no process of the attempt",
        async () => processesOf(buildId.slice(4)).length === 0,
        20_000,
      );
    },
    300_000,
  );
});

describe("a board that vanishes between submit and load", () => {
  it("keeps the endpoint waiting and is loaded when it is back", async () => {
    await installation.processes.stop("board-server");
    await deploy(installation, { name: "vanished", engine: "onnx", model: iris, board: cpu });
    await until("built", async () => {
      const { body } = await installation.api("/endpoints/vanished");
      return (body as { artifactDigest: string | null }).artifactDigest !== null;
    });
    const { body } = await installation.api("/endpoints/vanished");
    expect((body as { state: string }).state).not.toBe("ready");
    installation.processes.start("board-server");
    await untilReady(installation, "vanished");
  }, 120_000);
});

/** Processes whose command line names a build's work folder. */
function processesOf(build: string): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      return command.includes(build) ? [command] : [];
    } catch {
      return [];
    }
  });
}
