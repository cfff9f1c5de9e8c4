import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeTokenText } from "@/lib/server/auth";
import { median } from "./median";
import { agree, type HttpRequest } from "./serving/agree";
import { type Cost, startCosts } from "./serving/costs";
import { pausesOf } from "./serving/garbage";
import { grpcRequestOf, loadGrpc } from "./serving/grpc-load";
import { loadHttp, requestsOf } from "./serving/http-load";
import type { Measure } from "./serving/measure";
import { inputName, modelName, row } from "./serving/model";
import { startPeers } from "./serving/peers";
import { type Role, startRole, stopRoles } from "./serving/roles";
import type { Form, Server } from "./serving/server";
import { startWhole } from "./serving/whole";
import { hasWrk, loadWithWrk } from "./serving/wrk-load";

/**
 * Requests a second and latency of a 16-64-32-32-5 net on the CPU, as JSON, as binary and over gRPC: of a whole installation
 * with 30 endpoints ready, of our gateway and its board server alone, of a bare Node server that runs the same net and checks
 * nothing, and of the model servers of other people that are installed. Three rounds, the order turned round in between;
 * medians and best. Beside them: the cores that each process takes, at rest and under load, memory, and collections of garbage.
 *
 * `-- alone` leaves the installation out, `-- 16` all other numbers of clients. `-- tokens` sends a token to every server over HTTP, and
 * adds a gateway that asks for it and counts every limit of requests; with `alone`, since a whole installation knows no such token.
 */
const seconds = Number(process.env["BENCH_SECONDS"] ?? 4);
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);
const endpoints = Number(process.env["BENCH_ENDPOINTS"] ?? 30);
const restSeconds = Number(process.env["BENCH_REST_SECONDS"] ?? 10);
const words = process.argv.slice(2);
const clientCounts = [1, 16, 64].filter(
  (count) => words.includes(String(count)) || !words.some((word) => /^\d+$/.test(word)),
);
const forms = (["JSON", "binary", "gRPC"] as const).filter(
  (form) =>
    words.includes(form) || !words.some((word) => ["JSON", "binary", "gRPC"].includes(word)),
);
const folder = mkdtempSync(join(tmpdir(), "bw-gb-"));
const socket = join(folder, "s");
const { text: token } = makeTokenText("api");
const shown = words.includes("tokens") ? { authorization: `Bearer ${token}` } : {};
const [json, binary] = requestsOf(modelName, inputName, row).map((request) => ({
  ...request,
  headers: { ...request.headers, ...shown },
})) as [HttpRequest, HttpRequest];
const message = grpcRequestOf(modelName, inputName, row);

interface Target {
  readonly port: number;
  readonly clients: number;
  readonly seconds: number;
}

const loadOverHttp = hasWrk ? loadWithWrk : loadHttp;
const loads: Readonly<Record<Form, (target: Target) => Promise<Measure>>> = {
  JSON: (target) => loadOverHttp({ ...json, ...target }),
  binary: (target) => loadOverHttp({ ...binary, ...target }),
  gRPC: (target) => loadGrpc({ message, ...target }),
};

const servers: Server[] = [];
try {
  if (!words.includes("alone")) {
    console.log(`starting an installation with ${endpoints} endpoints …`);
    servers.push(await startWhole(endpoints));
  }
  servers.push(await startAlone());
  if (words.includes("tokens")) servers.push(await startClosed());
  servers.push(await startBare());
  const peers = await startPeers();
  servers.push(...peers.servers);
  if (peers.missing.length > 0) {
    console.log(`${peers.missing.join(", ")}: not here; \`npm run setup -- peers\` installs them.`);
  }
  console.log(
    `load: ${hasWrk ? "wrk" : "ours, since wrk is not here"} over HTTP, raw HTTP/2 for gRPC`,
  );
  await agree(servers, { json, binary, message });
  for (const server of servers) await rest(server);
  for (const form of forms) {
    for (const clients of clientCounts) await compare(form, clients);
  }
} finally {
  await Promise.all(servers.map(({ close }) => close()));
  rmSync(folder, { recursive: true, force: true });
}

function startAlone() {
  return startGateway("gateway alone", [socket]);
}

/** Over HTTP alone: the load over gRPC shows no token. */
async function startClosed(): Promise<Server> {
  const own = `${socket}t`;
  const args = [own, "64", "1", "", token];
  const { ports, ...server } = await startGateway("with tokens", args);
  return { ...server, ports: { JSON: ports.JSON, binary: ports.binary } };
}

async function startGateway(name: string, args: readonly string[]) {
  const board = await startRole("board", args.slice(0, 1));
  const gateway = await startRole("gateway", args);
  const { port, grpcPort, metricsPort } = gateway;
  return {
    name,
    ports: { JSON: port, binary: port, ...(grpcPort ? { gRPC: grpcPort } : {}) },
    ...(metricsPort ? { metricsPort } : {}),
    roots: () => pidsOf([gateway, board]),
    close: () => stopRoles([gateway, board]),
  };
}

async function startBare(): Promise<Server> {
  const [http, grpc] = [await startRole("bare"), await startRole("bare-grpc")];
  return {
    name: "bare Node",
    ports: { JSON: http.port, binary: http.port, gRPC: grpc.port },
    roots: () => pidsOf([http, grpc]),
    close: () => stopRoles([http, grpc]),
  };
}

function pidsOf(roles: readonly Role[]): number[] {
  return roles.flatMap(({ child }) => child.pid ?? []);
}

/** What a server takes while nobody asks it anything. */
async function rest({ name, roots }: Server): Promise<void> {
  const costs = startCosts(roots());
  await sleep(restSeconds * 1000);
  console.log(`at rest, ${name}: ${costsText(costs(), 0.001)}`);
}

interface Round {
  readonly measure: Measure;
  readonly costs: readonly Cost[];
}

async function compare(form: Form, clients: number): Promise<void> {
  const able = servers.flatMap((server) => {
    const port = server.ports[form];
    return port === undefined ? [] : [{ server, port, rounds: [] as Round[], pauses: "" }];
  });
  for (const { port } of able) await loads[form]({ port, clients, seconds: 1 });
  for (let round = 0; round < rounds; round++) {
    for (const each of round % 2 === 0 ? able : able.toReversed()) {
      const { port, server } = each;
      const pauses = await pausesOf(server.metricsPort);
      const costs = startCosts(server.roots());
      const measure = await loads[form]({ port, clients, seconds });
      each.rounds.push({ measure, costs: costs() });
      each.pauses = await pauses.since();
    }
  }
  console.log(`\n${form}, ${clients} ${clients === 1 ? "client" : "clients"}`);
  const [ours] = able;
  if (!ours) return;
  for (const { server, rounds: all, pauses } of able) {
    const rates = all.map(({ measure }) => measure.perSecond);
    const middle = all.find(({ measure }) => measure.perSecond === median(rates)) as Round;
    const { perSecond, p50Ms, p99Ms } = middle.measure;
    const ratio = median(ours.rounds.map(({ measure }) => measure.perSecond)) / perSecond;
    console.log(
      [
        `  ${server.name.padEnd(13)} ${perSecond.toFixed(0).padStart(6)}/s (best ${Math.max(...rates).toFixed(0)})`,
        `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`,
        `cores: ${costsText(middle.costs, 0.02)}`,
        ...(pauses === "" ? [] : [pauses]),
        ...(server === ours.server ? [] : [`ratio ${ratio.toFixed(2)}`]),
      ].join("; "),
    );
  }
}

/** Processes that take more than `least` cores; memory of all. */
function costsText(costs: readonly Cost[], least: number): string {
  const busy = costs
    .filter(({ cores }) => cores >= least)
    .map(({ name, cores }) => `${name} ${cores.toFixed(cores < 0.1 ? 3 : 2)}`);
  const cores = costs.reduce((sum, each) => sum + each.cores, 0);
  const memoryMib = costs.reduce((sum, each) => sum + each.memoryMib, 0);
  return `${cores.toFixed(2)} (${busy.join(", ")}), ${memoryMib.toFixed(0)} MiB`;
}
