import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadHttp, requestsOf } from "./serving/http-load";
import type { Measure } from "./serving/measure";
import { inputName, modelName, row } from "./serving/model";
import { startRole, stopRoles } from "./serving/roles";

/**
 * What sharing calls is worth on a device with a fixed cost of 20 ms a call: one row a call beside up to 64 rows a call,
 * and one, two and four such devices behind one name.
 */
const seconds = Number(process.env["BENCH_SECONDS"] ?? 5);
const costMs = 20;
const [, request] = requestsOf(modelName, inputName, row);
if (!request) throw new Error("there is no request");

/** `clients` ask all the time of `devices` devices that take up to `batch` rows a call. */
async function measure(
  devices: number,
  batch: number,
  clients: number,
  everyMs = 0,
): Promise<Measure> {
  const folder = mkdtempSync(join(tmpdir(), "bw-bb-"));
  const socket = join(folder, "s");
  const device = await startRole("device", [socket, String(devices), String(costMs)]);
  const gateway = await startRole("gateway", [socket, String(batch), String(devices)]);
  try {
    const load = { ...request, port: gateway.port, clients, everyMs } as Parameters<
      typeof loadHttp
    >[0];
    await loadHttp({ ...load, seconds: 1 });
    return await loadHttp({ ...load, seconds });
  } finally {
    await stopRoles([gateway, device]);
    rmSync(folder, { recursive: true, force: true });
  }
}

const show = ({ perSecond, p50Ms, p99Ms }: Measure) =>
  `${Math.round(perSecond)} requests/s, p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`;

const alone = await measure(1, 1, 4);
console.log(`one row a call,           4 clients: ${show(alone)}`);
const shared = await measure(1, 64, 192);
console.log(`up to 64 rows a call,   192 clients: ${show(shared)}`);
console.log(`ratio ${(shared.perSecond / alone.perSecond).toFixed(1)}`);
for (const perSecond of [0.5, 1, 1.5, 1.9]) {
  const found = await measure(1, 64, 1500, 1000 / perSecond);
  console.log(`1500 clients, each ${perSecond} times a second: ${show(found)}`);
}
for (const devices of [1, 2, 4]) {
  // Few rows a call, so that devices are the limit and not the processors.
  const found = await measure(devices, 8, 32 * devices);
  console.log(`${devices} devices, 8 rows a call: ${show(found)}; linear would be ${devices} ×`);
}
