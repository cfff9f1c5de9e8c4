import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadHttp, requestsOf } from "./serving/http-load";
import { inputName, modelName, row } from "./serving/model";
import { startRole, stopRoles } from "./serving/roles";

/**
 * One honest client beside one attack after the other, each bounded: its p99 beside the quiet one, the gateway's loop delay,
 * and its memory before and after. Each attack has a process of its own, and addresses.
 */
const seconds = Number(process.env["BENCH_SECONDS"] ?? 5);
const folder = mkdtempSync(join(tmpdir(), "bw-ab-"));
const socket = join(folder, "s");
const [json] = requestsOf(modelName, inputName, row);
const board = await startRole("board", [socket]);
const gateway = await startRole("gateway", [socket]);
const { port, grpcPort = 0, metricsPort = 0 } = gateway;

const attacks = [
  "quiet",
  "2,000,000 chunks of a byte",
  "bodies that do not end",
  "messages that announce 60 MiB",
  "gzip of zeros over gRPC",
  "60 MiB of int64_contents",
  "60 MiB of empty BYTES",
  "a million numbers with exponents",
];

/** Resident memory of the gateway, MiB. */
function residentMib(): number {
  const status = readFileSync(`/proc/${gateway.child.pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

function loopDelayMs(which: "tail" | "max", text: string): string {
  const value = new RegExp(`^boardwalk_event_loop_delay_${which}_seconds (\\S+)$`, "m").exec(text);
  return (Number(value?.[1]) * 1000).toFixed(0);
}

const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();

try {
  await loadHttp({ ...json, port, clients: 1, seconds: 2 });
  let quietMs = Number.NaN;
  for (const name of attacks) {
    const before = residentMib();
    await metrics();
    const attack =
      name === "quiet" ? [] : [await startRole("attack", [name, `${port}`, `${grpcPort}`])];
    const { p99Ms, perSecond } = await loadHttp({
      ...json,
      port,
      clients: 1,
      seconds,
      everyMs: 20,
    });
    const text = await metrics();
    await stopRoles(attack);
    if (name === "quiet") quietMs = p99Ms;
    const [tail, longest] = [loopDelayMs("tail", text), loopDelayMs("max", text)];
    const after = residentMib();
    console.log(
      `${name}: p99 ${p99Ms.toFixed(1)} ms (${(p99Ms / quietMs).toFixed(1)} x), ${perSecond.toFixed(0)} answers/s, loop delay p99.9 ${tail} ms, longest ${longest} ms, memory ${before} to ${after} MiB`,
    );
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
} finally {
  await stopRoles([gateway, board]);
  rmSync(folder, { recursive: true, force: true });
}
