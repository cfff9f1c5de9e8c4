import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "./median";
import { loadHttp, requestsOf } from "./serving/http-load";
import type { Measure } from "./serving/measure";
import { ReportedTime } from "./serving/reported-time";
import { startRole, stopRoles } from "./serving/roles";
import { buildIris, type SimulatedDesign } from "./serving/simulated-board";

/**
 * Requests a second and latency of iris-mlp on one simulated iCEBreaker and on two, as binary V2 through the gateway and its
 * board server, and the share of the time that a board has its calls which is spent within the simulation. Medians of three
 * rounds; board server, gateway and this load have a process of their own, on however many cores there are. Needs Yosys.
 */
const seconds = Number(process.env["BENCH_SECONDS"] ?? 4);
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);
const typical = [5.1, 3.5, 1.4, 0.2];
const folder = mkdtempSync(join(tmpdir(), "bw-sim-"));
try {
  const design = await buildIris(folder);
  const { maxBatchSize, core } = design.manifest;
  console.log(
    `iris-mlp on a simulated iCEBreaker: ${core?.latencyCycles} cycles a row, up to ${maxBatchSize} rows a call`,
  );
  await measure(design, 1, [1, 16, 64]);
  await measure(design, 2, [64]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Found extends Measure {
  readonly rows: number;
  readonly share: number;
  readonly typical: string;
}

async function measure(
  { manifest, manifestPath, simulationPath, model }: SimulatedDesign,
  boards: number,
  loads: readonly number[],
): Promise<void> {
  const socket = join(folder, `s${boards}`);
  const files = [manifestPath, simulationPath];
  const board = await startRole("simulated", [socket, ...files, String(boards)]);
  const served = [String(manifest.maxBatchSize), String(boards), JSON.stringify(model)];
  const gateway = await startRole("gateway", [socket, ...served]);
  const [, request] = requestsOf(model.name, model.input.name, typical);
  if (!request) throw new Error("there is no request");
  const headers = { ...request.headers, "x-bw-timing": "1" };
  const load = (clients: number, forSeconds: number, onHead?: (head: string) => void) =>
    loadHttp({
      ...request,
      headers,
      port: gateway.port,
      clients,
      seconds: forSeconds,
      ...(onHead ? { onHead } : {}),
    });
  try {
    await load(16, 2);
    for (const clients of loads) {
      const found: Found[] = [];
      for (let round = 0; round < rounds; round++) {
        const time = new ReportedTime();
        const before = await countsOf(gateway.port, model.name);
        const measured = await load(clients, seconds, (head) => time.note(head));
        const after = await countsOf(gateway.port, model.name);
        const rows = (after.rows - before.rows) / (after.calls - before.calls);
        found.push({ ...measured, rows, share: time.computeShare, typical: time.typical });
      }
      const of = (read: (each: (typeof found)[number]) => number) => median(found.map(read));
      console.log(
        `${boards} board${boards > 1 ? "s" : ""}, ${String(clients).padStart(2)} clients: ${of(({ perSecond }) => perSecond).toFixed(0)} requests/s, p50 ${of(({ p50Ms }) => p50Ms).toFixed(2)} ms, p99 ${of(({ p99Ms }) => p99Ms).toFixed(2)} ms, ${of(({ rows }) => rows).toFixed(1)} rows a call, ${(100 * of(({ share }) => share)).toFixed(0)} % simulating (${found.at(-1)?.typical})`,
      );
    }
  } finally {
    await stopRoles([gateway, board]);
  }
}

/** Rows and calls of a model so far, from Triton's statistics. */
async function countsOf(port: number, model: string) {
  const answer = await fetch(`http://127.0.0.1:${port}/v2/models/${model}/stats`);
  const { model_stats: entries } = (await answer.json()) as {
    model_stats: { inference_count: number; execution_count: number }[];
  };
  return { rows: entries[0]?.inference_count ?? 0, calls: entries[0]?.execution_count ?? 0 };
}
