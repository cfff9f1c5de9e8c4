import { setTimeout as sleep } from "node:timers/promises";
import { median } from "./median";
import { startCosts } from "./serving/costs";
import { askGrpc } from "./serving/grpc-ask";
import { loadGrpc } from "./serving/grpc-load";
import type { Measure } from "./serving/measure";
import { type Role, startRole, stopRoles } from "./serving/roles";
import { type TransportCall, transportCalls } from "./serving/transport-call";

/**
 * What carries a gRPC call: our own server of gRPC and HTTP/2 (`gateway/grpc/wire`), beside streams of `node:http2` that
 * check nothing, and the server of `@grpc/grpc-js`. Each answers the same `ModelInfer` in a process of its own, without a
 * model. The load is raw HTTP/2, from this process; rounds turn the order of the servers round. Medians and best of
 * requests a second, the cores that the server and the load take, and processor seconds of the server per 100,000 calls,
 * which tell the difference where the load is what is slow. Ratios are to ours: above 1, ours is the faster.
 *
 * `-- small`, `-- large` and `-- read` take one kind of call, `-- 16` one number of clients.
 */
const seconds = Number(process.env["BENCH_SECONDS"] ?? 2);
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5);
const words = process.argv.slice(2);
const clientCounts = [1, 16, 64].filter(
  (count) => words.includes(String(count)) || !words.some((word) => /^\d+$/.test(word)),
);
const kinds = Object.entries(transportCalls).filter(
  ([kind]) => words.includes(kind) || !words.some((word) => Object.hasOwn(transportCalls, word)),
);
const roleOf = { ours: "wire", "node:http2": "node-http2", "grpc-js": "grpc-js" } as const;
const callsTold = 100_000;

interface Transport {
  readonly name: string;
  readonly role: Role;
}

interface Round {
  readonly measure: Measure;
  readonly serverCores: number;
  readonly loadCores: number;
  /** Processor seconds of the server. */
  readonly perCallsS: number;
}

for (const [kind, call] of kinds) {
  const transports: Transport[] = [];
  try {
    for (const [name, role] of Object.entries(roleOf)) {
      transports.push({ name, role: await startRole(role, [kind]) });
    }
    await checkAnswers(transports, call);
    for (const clients of clientCounts) await compare(transports, call, clients);
  } finally {
    await stopRoles(transports.map(({ role }) => role));
  }
}

/** @throws {Error} that names who does not give the answer of the call. */
async function checkAnswers(
  transports: readonly Transport[],
  { message, answer }: TransportCall,
): Promise<void> {
  const expected = answer(message);
  for (const { name, role } of transports) {
    const given = await askGrpc(role.port, message);
    if (!given.equals(expected)) throw new Error(`${name} gives another answer`);
  }
}

async function compare(
  transports: readonly Transport[],
  { what, message }: TransportCall,
  clients: number,
): Promise<void> {
  const all = transports.map((each) => ({ ...each, rounds: [] as Round[] }));
  for (const { role } of all) await loadGrpc({ port: role.port, message, clients, seconds: 1 });
  for (let round = 0; round < rounds; round++) {
    for (const { role, rounds: done } of round % 2 === 0 ? all : all.toReversed()) {
      done.push(await measureRound(role, { message, clients }));
    }
  }
  console.log(`\n${what}, ${clients} ${clients === 1 ? "client" : "clients"}`);
  const [ours] = all;
  if (!ours) return;
  for (const { name, rounds: done } of all) console.log(lineOf(name, done, ours.rounds));
}

async function measureRound(
  { port, child }: Role,
  load: { readonly message: Uint8Array; readonly clients: number },
): Promise<Round> {
  // What the load before left to do for this process is not of this round.
  await sleep(100);
  const costs = startCosts(child.pid === undefined ? [] : [child.pid]);
  const [before, startMs] = [process.cpuUsage(), performance.now()];
  const measure = await loadGrpc({ port, ...load, seconds });
  const { user, system } = process.cpuUsage(before);
  const loadCores = (user + system) / 1000 / (performance.now() - startMs);
  const serverCores = costs().reduce((sum, { cores }) => sum + cores, 0);
  const perCallsS = (serverCores / measure.perSecond) * callsTold;
  return { measure, serverCores, loadCores, perCallsS };
}

function lineOf(name: string, done: readonly Round[], ours: readonly Round[]): string {
  const middle = (of: (round: Round) => number, from = done) => median(from.map(of));
  const perSecond = ({ measure }: Round) => measure.perSecond;
  const perCallsS = (round: Round) => round.perCallsS;
  const ratios = [
    middle(perSecond, ours) / middle(perSecond),
    middle(perCallsS) / middle(perCallsS, ours),
  ].map((ratio) => ratio.toFixed(2));
  return [
    `  ${name.padEnd(10)} ${middle(perSecond).toFixed(0).padStart(6)}/s (best ${Math.max(...done.map(perSecond)).toFixed(0)})`,
    `p50 ${middle(({ measure }) => measure.p50Ms).toFixed(2)} ms, p99 ${middle(({ measure }) => measure.p99Ms).toFixed(2)} ms`,
    `cores: server ${middle(({ serverCores }) => serverCores).toFixed(2)}, load ${middle(({ loadCores }) => loadCores).toFixed(2)}`,
    `${middle(perCallsS).toFixed(2)} s (best ${Math.min(...done.map(perCallsS)).toFixed(2)}) of the processor per 100,000 calls`,
    ...(done === ours ? [] : [`ratio ${ratios[0]}, of the processor ${ratios[1]}`]),
  ].join("; ");
}
