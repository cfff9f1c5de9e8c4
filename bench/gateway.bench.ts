import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agree } from "./serving/agree";
import { grpcRequestOf, loadGrpc } from "./serving/grpc-load";
import { loadHttp, requestsOf } from "./serving/http-load";
import type { Measure } from "./serving/measure";
import { inputName, modelName, row } from "./serving/model";
import { startPeers } from "./serving/peers";
import { startRole, stopRoles } from "./serving/roles";
import type { Form, Server } from "./serving/server";

/**
 * Requests a second and latency of a 16-64-32-32-5 net on the CPU through the gateway and its board server, as JSON, as
 * binary and over gRPC, beside a bare Node server that runs the same net and checks nothing, and beside the model
 * servers of other people that are installed. Best of three rounds in turn; each server and this load have a process of
 * their own, on however many cores there are.
 */
const seconds = Number(process.env["BENCH_SECONDS"] ?? 4);
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);
const folder = mkdtempSync(join(tmpdir(), "bw-gb-"));
const socket = join(folder, "s");
const [json, binary] = requestsOf(modelName, inputName, row);
const message = grpcRequestOf(modelName, inputName, row);
const requests = { json, binary, message };

interface Target {
  readonly port: number;
  readonly clients: number;
  readonly seconds: number;
}

const loads: Readonly<Record<Form, (target: Target) => Promise<Measure>>> = {
  JSON: (target) => loadHttp({ ...json, ...target }),
  binary: (target) => loadHttp({ ...binary, ...target }),
  gRPC: (target) => loadGrpc({ message, ...target }),
};

const servers: Server[] = [];
try {
  servers.push(await startGateway(), await startBare());
  const peers = await startPeers();
  servers.push(...peers.servers);
  if (peers.missing.length > 0) {
    console.log(`${peers.missing.join(", ")}: not here; \`npm run setup -- peers\` installs them.`);
  }
  await agree(servers, requests);
  for (const form of ["JSON", "binary", "gRPC"] as const) {
    for (const clients of [1, 16, 64]) await compare(form, clients);
  }
} finally {
  await Promise.all(servers.map(({ close }) => close()));
  rmSync(folder, { recursive: true, force: true });
}

async function startGateway(): Promise<Server> {
  const board = await startRole("board", [socket]);
  const gateway = await startRole("gateway", [socket]);
  const { port, grpcPort } = gateway;
  return {
    name: "gateway",
    ports: { JSON: port, binary: port, ...(grpcPort ? { gRPC: grpcPort } : {}) },
    close: () => stopRoles([gateway, board]),
  };
}

async function startBare(): Promise<Server> {
  const [http, grpc] = [await startRole("bare"), await startRole("bare-grpc")];
  return {
    name: "bare Node",
    ports: { JSON: http.port, binary: http.port, gRPC: grpc.port },
    close: () => stopRoles([http, grpc]),
  };
}

async function compare(form: Form, clients: number): Promise<void> {
  const able = servers.flatMap(({ name, ports }) => {
    const port = ports[form];
    return port === undefined ? [] : [{ name, port, best: null as Measure | null }];
  });
  for (const { port } of able) await loads[form]({ port, clients, seconds: 1 });
  for (let round = 0; round < rounds; round++) {
    for (const each of able) {
      const measure = await loads[form]({ port: each.port, clients, seconds });
      if (!each.best || measure.perSecond > each.best.perSecond) each.best = measure;
    }
  }
  const ours = able[0]?.best?.perSecond ?? Number.NaN;
  for (const { name, best } of able) {
    if (!best) throw new Error("no round was run");
    const { perSecond, p50Ms, p99Ms } = best;
    const ratio = name === "gateway" ? "" : `; ratio ${(ours / perSecond).toFixed(2)}`;
    console.log(
      `${form.padEnd(6)} ${String(clients).padStart(2)} clients, ${name}: ${Math.round(perSecond)} requests/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms${ratio}`,
    );
  }
}
