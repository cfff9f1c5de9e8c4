import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "undici";
import { loadCpu } from "@/board-server/devices/cpu";
import { startTensorServer } from "@/board-server/serving/tensor-server";
import { Slot } from "@/board-server/slots/slot";
import { startGateway } from "@/gateway/gateway";
import { bundle } from "@/scripts/bundle.mjs";
import { irisArtifact, loadOf, makeSigner } from "@/tests/board-server/support/artifacts";

/**
 * Requests per second for `iris-mlp` on the CPU through the gateway, JSON and binary, beside a bare Node server that takes
 * and gives the same bytes. Gateway, board server, bare server and this load each have a process of their own.
 */
const seconds = Number(process.env["BENCH_SECONDS"] ?? 5);
const warmUpS = 3;
const connections = 16;
const { manifest } = irisArtifact();
const [, , role, socket = ""] = process.argv;

if (role === "board") await runBoard();
else if (role === "gateway") await runGateway();
else if (role === "bare") runBare();
else await measureAll();

/** A board server's tensor side with the model in one slot. */
async function runBoard(): Promise<void> {
  const slot = new Slot(
    {
      slotId: "slt_1",
      slotEpoch: 1,
      state: "empty",
      revisionId: null,
      artifactDigest: null,
      commandId: null,
      problem: null,
    },
    loadOf(irisArtifact(), makeSigner()),
  );
  slot.serve(await loadCpu(manifest, "public/samples/iris-mlp/model.onnx"));
  const slots = {
    accept: async () => {},
    reports: () => [],
    find: () => slot,
    close: async () => {},
  };
  await startTensorServer(() => slots, { kind: "unix", path: socket });
  process.send?.(0);
}

async function runGateway(): Promise<void> {
  const { io, platform, maxBatchSize } = manifest;
  const specs = io as { inputs: never[]; outputs: never[] };
  const replica = {
    slotId: "slt_1",
    slotEpoch: 1,
    address: { kind: "unix", path: socket },
  } as const;
  const revision = { id: "rev_1", version: "1", platform, maxBatchSize, properties: {}, ...specs };
  const endpoint = {
    name: "iris",
    state: "ready",
    reason: null,
    split: [{ revisionId: "rev_1", percent: 100 }],
    revisions: [{ ...revision, replicas: [replica] }],
  } as const;
  const gateway = await startGateway({
    load: async () => ({ endpoints: [endpoint] }),
    listen: () => ({ close: async () => {} }),
    host: "127.0.0.1",
    httpPort: 0,
    metricsPort: 0,
    allowedHosts: [],
    portalUrl: "http://localhost:3000",
  });
  process.send?.(gateway.httpPort);
}

/** Answers every request with the bytes that it was given first, by path. */
function runBare(): void {
  const answers = new Map<string, { headers: Record<string, string>; body: Buffer }>();
  process.on(
    "message",
    ({ path, headers, body }: { path: string; headers: never; body: string }) => {
      answers.set(path, { headers, body: Buffer.from(body, "base64") });
    },
  );
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const answer = answers.get(request.url ?? "");
      response.writeHead(200, answer?.headers);
      response.end(answer?.body);
    });
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
}

interface Load {
  readonly name: string;
  readonly path: string;
  readonly body: Buffer;
  readonly headers: Record<string, string>;
}

function loads(): Load[] {
  const path = "/v2/models/iris/infer";
  const input = { name: "features", shape: [1, 4], datatype: "FP32" };
  const json = JSON.stringify({ id: "1", inputs: [{ ...input, data: [5.1, 3.5, 1.4, 0.2] }] });
  const head = JSON.stringify({
    id: "1",
    inputs: [{ ...input, parameters: { binary_data_size: 16 } }],
    parameters: { binary_data_output: true },
  });
  const blob = Buffer.from(Float32Array.of(5.1, 3.5, 1.4, 0.2).buffer);
  return [
    { name: "json", path, body: Buffer.from(json), headers: {} },
    {
      name: "binary",
      path: `${path}?binary`,
      body: Buffer.concat([Buffer.from(head), blob]),
      headers: { "inference-header-content-length": String(head.length) },
    },
  ];
}

async function measureAll(): Promise<void> {
  process.env["BOARDWALK_BUNDLES"] ??= await bundle();
  const folder = mkdtempSync(join(tmpdir(), "bw-gb-"));
  const children: ChildProcess[] = [];
  const start = (name: string) => {
    const child = fork(import.meta.filename, [name, join(folder, "s")], {
      execArgv: ["--import", "tsx"],
    });
    children.push(child);
    return new Promise<{ child: ChildProcess; port: number }>((resolve, reject) => {
      child.once("message", (port) => resolve({ child, port: Number(port) }));
      child.once("exit", (status) => reject(new Error(`${name} ended with ${status}`)));
    });
  };
  try {
    const [, gateway, bare] = [await start("board"), await start("gateway"), await start("bare")];
    for (const load of loads()) {
      const pool = new Pool(`http://127.0.0.1:${gateway.port}`, { connections, pipelining: 1 });
      const first = await pool.request({ ...load, method: "POST" });
      const body = Buffer.from(await first.body.arrayBuffer());
      if (first.statusCode !== 200) throw new Error(body.toString());
      const { date: _, connection: __, "keep-alive": ___, ...headers } = first.headers;
      bare.child.send({ path: load.path, headers, body: body.toString("base64") });
      await measure(pool, load, warmUpS);
      const ours = await measure(pool, load, seconds);
      await pool.close();
      const barePool = new Pool(`http://127.0.0.1:${bare.port}`, { connections, pipelining: 1 });
      await measure(barePool, load, warmUpS);
      const theirs = await measure(barePool, load, seconds);
      await barePool.close();
      console.log(`${load.name.padEnd(7)} gateway ${show(ours)}`);
      console.log(`${load.name.padEnd(7)} bare    ${show(theirs)}`);
      console.log(
        `${load.name.padEnd(7)} ratio   ${(theirs.perSecond / ours.perSecond).toFixed(2)}`,
      );
    }
  } finally {
    for (const child of children) child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Measure {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** As many requests as the connections can carry, one after the other on each. */
async function measure(pool: Pool, { path, body, headers }: Load, forS: number): Promise<Measure> {
  const took: number[] = [];
  const start = performance.now();
  const end = start + forS * 1000;
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      const sent = performance.now();
      const answer = await pool.request({ method: "POST", path, body, headers });
      await answer.body.arrayBuffer();
      if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`);
      took.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const elapsedS = (performance.now() - start) / 1000;
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.floor(took.length * share)] ?? Number.NaN;
  return { perSecond: took.length / elapsedS, p50Ms: at(0.5), p99Ms: at(0.99) };
}

function show({ perSecond, p50Ms, p99Ms }: Measure): string {
  return `${Math.round(perSecond)} requests/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
}
