import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { emptyOutline, extendOutline } from "@/lib/common/log-outline";
import {
  boardModels,
  boards,
  builds,
  endpointOf,
  endpoints,
  engines,
  inspection,
  logOf,
  placements,
} from "./fixture-data";

/**
 * A stand-in for `/api/v1` with invented answers, for looking at screens in rare states while developing:
 * `npx tsx e2e/support/fixture-api.ts 4010`, then `FIXTURE_API=http://127.0.0.1:4010 npx next dev`.
 */
const port = Number(process.argv[2] ?? 4010);
const empty = process.env["FIXTURE_EMPTY"] === "1";

const page = (items: readonly unknown[]) => ({ items: empty ? [] : items, nextCursor: null });
const fail = (status: number, reason: string, message: string, more: object = {}) => ({
  status,
  body: { error: { code: "invalid_argument", reason, message, requestId: "req_fixture", ...more } },
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function answer(
  request: IncomingMessage,
  url: URL,
): Promise<{ status: number; body: unknown }> {
  const path = url.pathname.replace("/api/v1", "");
  const body = request.method === "POST" ? await bodyOf(request) : "";
  const ok = (value: unknown, status = 200) => ({ status, body: value });
  if (path === "/builds/overview") {
    const hour = { succeeded: 3, reused: 2, failed: 1, cancelled: 1, underWay: 0 };
    const hours = Array.from({ length: 24 }, (_, index) =>
      empty
        ? { succeeded: 0, reused: 0, failed: 0, cancelled: 0, underWay: 0 }
        : { ...hour, succeeded: index },
    );
    const failures = builds.filter(({ state }) => state === "failed");
    return ok({ underWay: 1, hours, medianMs: 41_000, newest: builds.slice(0, 5), failures });
  }
  if (path === "/builds/queue") {
    const seenAt = new Date().toISOString();
    const worker = { name: "bench-1", host: "bench", slots: 1, running: 1, seenAt };
    return ok({
      ...{ workers: empty ? [] : [worker], lastSeenAt: empty ? null : seenAt },
      ...{ running: 1, waiting: 0, next: [] },
    });
  }
  if (path === "/builds/trend") {
    const window = url.searchParams.get("window") === "7d" ? "7d" : "24h";
    const [count, stepMs] = window === "7d" ? [7, 86_400_000] : [24, 3_600_000];
    const steps = Array.from({ length: count }, (_, index) => ({
      from: new Date(Date.now() - (count - index) * stepMs).toISOString(),
      ...{ succeeded: index % 5, reused: index % 3, failed: index % 2, cancelled: 0, underWay: 0 },
      ...{ waitMs: 900, runMs: 41_000 },
    }));
    return ok({ window, steps, models: [] });
  }
  if (path === "/builds") {
    const state = url.searchParams.get("state");
    return ok(page(builds.filter((build) => !state || build.state === state)));
  }
  if (path === "/endpoints" && request.method === "POST") {
    await sleep(300);
    const { name } = JSON.parse(body) as { name: string };
    if (name === "taken") {
      return fail(409, "NAME_TAKEN", "An endpoint named “taken” exists.", {
        field: "name",
        hint: "Choose another name.",
      });
    }
    return ok({ name, state: "building", buildId: builds[0]?.id, url: "", revision: 1 }, 202);
  }
  if (path === "/endpoints") return ok(page(endpoints));
  if (path === "/names/endpoints") {
    const start = url.searchParams.get("start") ?? "";
    const names = endpoints.map(({ name }) => name).filter((name) => name.startsWith(start));
    return ok({ names: empty ? [] : names });
  }
  if (path === "/overviews/endpoints") {
    const some = empty ? [] : endpoints;
    const trouble = some.filter(({ state }) => state === "failed" || state === "degraded");
    return ok({
      ...{ count: some.length, first: some.slice(0, 6), inTrouble: trouble.length },
      ...{ trouble, guide: some },
    });
  }
  if (path === "/boards") return ok(page(boards));
  if (path === "/board-models") return ok({ items: boardModels, nextCursor: null });
  if (path === "/connections") return ok({ items: [], shared: [] });
  if (path === "/settings/connections") {
    const sources = { schemes: ["https", "s3"], allowedHosts: [], connections: [] };
    return ok({ items: [], sources });
  }
  if (path === "/engines") return ok({ items: engines, nextCursor: null });
  if (path === "/models/inspect") {
    await sleep(350);
    const { url: model } = JSON.parse(body) as { url: string };
    if (model.includes("loop")) {
      return ok({
        ...inspection,
        engines: [
          {
            id: "boardwalk",
            ok: false,
            reason: "OPERATOR_UNSUPPORTED",
            message: "has no circuit for the operator Loop",
          },
          { id: "onnx", ok: true },
        ],
      });
    }
    if (!model.startsWith("s3://boardwalk-samples/") || !model.endsWith(".onnx")) {
      return fail(422, "SOURCE_NOT_FOUND", "There is nothing at this address.", {
        hint: "Check the bucket and the key; they are case-sensitive.",
        field: "url",
      });
    }
    return ok(inspection);
  }
  const build = /^\/builds\/([^/]+)(\/.*)?$/.exec(path);
  if (build) {
    const found = builds.find(({ id }) => id === build[1]);
    if (!found) return fail(404, "BUILD_UNKNOWN", "There is no build with this id.");
    if (build[2] === "/timeline") {
      const usual = { builds: 0, total: null, stages: [] };
      const startedAt = found.startedAt ?? found.createdAt;
      return ok({
        ...{ now: new Date().toISOString(), usual, expectedMs: 45_000, wait: null },
        queued: [{ from: found.createdAt, to: startedAt }],
        attempts: [
          { attempt: 1, startedAt, endedAt: found.endedAt, outcome: null, stages: found.stages },
        ],
      });
    }
    if (build[2] === "/log/outline") {
      const outline = extendOutline(emptyOutline, logOf(found));
      return ok({ ...outline, attempt: 1, final: found.state !== "running", truncated: false });
    }
    if (build[2] === "/log") {
      const all = logOf(found);
      const from = Number(url.searchParams.get("from") ?? 1);
      const limit = Number(url.searchParams.get("limit") ?? 2000);
      return ok({
        attempt: 1,
        lines: all.slice(from - 1, from - 1 + limit),
        total: all.length,
        final: found.state !== "running",
      });
    }
    if (build[2] === "/retry") return ok({ id: builds[0]?.id }, 202);
    if (build[2] === "/cancel") return ok({ id: found.id }, 202);
    return ok({ ...found, lines: logOf(found).length });
  }
  const artifact = /^\/artifacts\/([^/]+)\/files\/placement$/.exec(path);
  if (artifact) {
    const placement = placements.get(artifact[1] ?? "");
    return placement
      ? ok(placement)
      : fail(404, "ARTIFACT_UNKNOWN", "This artifact has no placement file.");
  }
  const endpoint = /^\/endpoints\/([^/]+)(\/.*)?$/.exec(path);
  if (endpoint) {
    const name = endpoint[1] ?? "";
    const found = endpoints.find((each) => each.name === name);
    if (!found) return fail(404, "ENDPOINT_UNKNOWN", `There is no endpoint named “${name}”.`);
    if (endpoint[2] === "/revisions") {
      return ok(
        page(
          [2, 1].map((ordinal) => ({
            id: `rev_${ordinal}`,
            ordinal,
            state: ordinal === 2 ? "ready" : "retired",
            engine: found.engine,
            boardModel: found.boardModel,
            boardKind: found.boardKind,
            modelUrl: found.modelUrl,
            artifactDigest: endpointOf(name).artifactDigest,
            buildId: found.buildId,
            createdAt: found.createdAt,
          })),
        ),
      );
    }
    if (endpoint[2] === "/predict") {
      await sleep(3);
      return ok({
        model_name: name,
        model_version: "2",
        outputs: [
          {
            name: "logits",
            datatype: "FP32",
            shape: [1, 10],
            data: [0.001, 0.002, 0.004, 0.012, 0.003, 0.006, 0.001, 0.002, 0.007, 0.962],
          },
        ],
        timing: {
          gatewayQueueNs: 40_000,
          gatewayNs: 110_000,
          linkNs: 280_000,
          boardQueueNs: 30_000,
          hostNs: 52_000,
          computeNs: 1_120_000,
          cycles: 392,
          clockHz: 24e6,
          simulated: true,
        },
      });
    }
    return ok(found);
  }
  return fail(404, "NOT_FOUND", "There is nothing at this address.");
}

/** The running build's log grows by a few lines a second, from the cursor the tab sends. */
function stream(url: URL, response: ServerResponse): void {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-cache, no-transform",
  });
  response.write("retry: 1000\n\nevent: heartbeat\ndata: {}\n\n");
  const [, , after] = (url.searchParams.get("log") ?? "").split(":");
  let n = Number(after ?? 0);
  const timer = setInterval(() => {
    if (after === undefined) return;
    for (let each = 0; each < 5; each += 1) {
      n += 1;
      const line = {
        n,
        time: new Date().toISOString(),
        stage: "place",
        stream: "stdout",
        level: "info",
        text: `Info: routed ${n} arcs, ${n * 3} to go`,
      };
      response.write(`event: log\nid: 1:${n}\ndata: ${JSON.stringify(line)}\n\n`);
    }
  }, 400);
  response.on("close", () => clearInterval(timer));
}

createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://fixture");
  if (url.pathname === "/api/v1/events") return stream(url, response);
  answer(request, url)
    .then(({ status, body }) => {
      response.writeHead(status, {
        "content-type": "application/json",
        "x-request-id": "req_7f3a",
      });
      response.end(JSON.stringify(body));
    })
    .catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
}).listen(port, "127.0.0.1", () => console.log(`fixture API on ${port}`));
