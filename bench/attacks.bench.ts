import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loopDelayMs, residentMib } from "./process-health";
import { loadHttp, requestsOf } from "./serving/http-load";
import { inputName, modelName, row } from "./serving/model";
import { startRole, stopRoles } from "./serving/roles";

/**
 * One honest client beside one attack after the other, each bounded and on a gateway of its own: its p99 beside the quiet
 * one of the same gateway, the loop's delay, and memory before and after. An attack has a process and addresses of its own;
 * it runs at the lowest priority, since attackers bring their own processors.
 */
const seconds = Number(process.env["BENCH_SECONDS"] ?? 5);
const folder = mkdtempSync(join(tmpdir(), "bw-ab-"));
const socket = join(folder, "s");
const [json] = requestsOf(modelName, inputName, row);
const board = await startRole("board", [socket]);

const attacks = [
  "2,000,000 chunks of a byte",
  "bodies that do not end",
  "messages that announce 60 MiB",
  "gzip of zeros over gRPC",
  "60 MiB of int64_contents",
  "60 MiB of empty BYTES",
  "a million numbers with exponents",
];

async function measure(attack: string): Promise<string> {
  const gateway = await startRole("gateway", [socket]);
  const { child, port, grpcPort, metricsPort } = gateway;
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const beGood = () => loadHttp({ ...json, port, clients: 1, seconds, everyMs: 20 });
  await loadHttp({ ...json, port, clients: 1, seconds: 2 });
  const quiet = await beGood();
  const before = residentMib(child.pid);
  await metrics();
  const attacker = await startRole("attack", [attack, `${port}`, `${grpcPort}`]);
  const attacked = await beGood();
  const text = await metrics();
  await stopRoles([attacker]);
  const after = residentMib(child.pid);
  await stopRoles([gateway]);
  const ratio = (attacked.p99Ms / quiet.p99Ms).toFixed(1);
  return [
    `p99 ${quiet.p99Ms.toFixed(1)} to ${attacked.p99Ms.toFixed(1)} ms (${ratio} x)`,
    `${attacked.perSecond.toFixed(0)} answers/s`,
    `loop delay p99.9 ${loopDelayMs("tail", text)} ms, longest ${loopDelayMs("max", text)} ms`,
    `memory ${before} to ${after} MiB`,
  ].join(", ");
}

try {
  for (const attack of attacks) console.log(`${attack}: ${await measure(attack)}`);
} finally {
  await stopRoles([board]);
  rmSync(folder, { recursive: true, force: true });
}
