import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HttpLoad, loadHttp, type Measure, requestsOf } from "./serving/http-load";
import { inputName, modelName, row } from "./serving/model";
import { startRole, stopRoles } from "./serving/roles";

/**
 * Requests a second and latency of a 16-64-32-32-5 net on the CPU through the gateway and its board server, JSON and
 * binary, beside a bare Node server that runs the same net and checks nothing. Best of three; each server and this load
 * have a process of their own, on however many cores there are.
 */
const seconds = Number(process.env["BENCH_SECONDS"] ?? 4);
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);
const folder = mkdtempSync(join(tmpdir(), "bw-gb-"));
const socket = join(folder, "s");
const roles = [];
try {
  const board = await startRole("board", [socket]);
  const gateway = await startRole("gateway", [socket]);
  const bare = await startRole("bare");
  roles.push(gateway, board, bare);
  const [json, binary] = requestsOf(modelName, inputName, row);
  for (const [form, request] of Object.entries({ json, binary })) {
    if (!request) continue;
    for (const clients of [1, 16, 64]) {
      const ours = await best({ ...request, port: gateway.port, clients, seconds });
      const theirs = await best({ ...request, port: bare.port, clients, seconds });
      const ratio = ours.perSecond / theirs.perSecond;
      console.log(
        `${form.padEnd(6)} ${String(clients).padStart(2)} clients: gateway ${show(ours)}; bare ${show(theirs)}; ratio ${ratio.toFixed(2)}`,
      );
    }
  }
} finally {
  await stopRoles(roles);
  rmSync(folder, { recursive: true, force: true });
}

async function best(load: HttpLoad): Promise<Measure> {
  await loadHttp({ ...load, seconds: 1 });
  let found: Measure | null = null;
  for (let round = 0; round < rounds; round++) {
    const measure = await loadHttp(load);
    if (!found || measure.perSecond > found.perSecond) found = measure;
  }
  if (!found) throw new Error("no round was run");
  return found;
}

function show({ perSecond, p50Ms, p99Ms }: Measure): string {
  return `${Math.round(perSecond)} requests/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
}
