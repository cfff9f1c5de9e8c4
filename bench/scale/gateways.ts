import { cpus } from "node:os";
import { startCosts } from "@/bench/serving/costs";
import { grpcRequestOf, loadGrpc } from "@/bench/serving/grpc-load";
import { loadHttp, requestsOf } from "@/bench/serving/http-load";
import type { Measure } from "@/bench/serving/measure";
import { inputName, modelName, row } from "@/bench/serving/model";
import { type Role, stopRoles } from "@/bench/serving/roles";
import { hasWrk, loadWithWrk } from "@/bench/serving/wrk-load";
import { cpuMsOf } from "@/lib/server/process";
import { startManyEndpoints } from "./many-endpoints";
import { coresOf, ms, printTable, say } from "./print";

const counts = [1, 2, 4];
const clients = 64;
const seconds = Number(process.env["BENCH_SECONDS"] ?? 6);

const [json] = requestsOf(modelName, inputName, row);
const message = grpcRequestOf(modelName, inputName, row);
const overHttp = hasWrk ? loadWithWrk : loadHttp;
const loads: Readonly<Record<string, (gateway: Role, share: number) => Promise<Measure>>> = {
  JSON: ({ port }, share) => overHttp({ ...json, port, clients: share, seconds }),
  gRPC: ({ grpcPort = 0 }, share) => loadGrpc({ message, port: grpcPort, clients: share, seconds }),
};

/** Gateways of their own, each on its own ports, with one database and one board server behind them. */
export async function measureGateways(): Promise<void> {
  const many = await startManyEndpoints();
  try {
    await many.fill(1);
    const rows: string[][] = [];
    for (const count of counts) {
      const gateways: Role[] = [];
      for (let n = 0; n < count; n++) gateways.push(await many.startGateway());
      for (const form of Object.keys(loads)) rows.push(await measure(form, gateways));
      await stopRoles(gateways);
    }
    say(
      `\nseveral gateways, each on its own ports: no setting has them share one. ${clients} clients in all, ${cpus().length} processors`,
    );
    printTable(
      ["gateways", "form", "requests/s", "p50, ms", "p99, ms", "gateways, cores", "model", "load"],
      rows,
    );
  } finally {
    await many.close();
  }
}

async function measure(form: string, gateways: readonly Role[]): Promise<string[]> {
  const load = loads[form];
  if (!load) return [];
  const share = clients / gateways.length;
  const run = () => Promise.all(gateways.map((gateway) => load(gateway, share)));
  await run();
  const costs = startCosts([process.pid]);
  // Its children that are over, which wrk is, are counted with it.
  const own = cpuMsOf([process.pid]);
  const startMs = performance.now();
  const measures = await run();
  const loadCores = (cpuMsOf([process.pid]) - own) / (performance.now() - startMs);
  const took = costs();
  const sum = measures.reduce((total, { perSecond }) => total + perSecond, 0);
  const mean = (of: (measure: Measure) => number) =>
    measures.reduce((total, each) => total + of(each), 0) / measures.length;
  return [
    `${gateways.length}`,
    form,
    sum.toFixed(0),
    ms(mean(({ p50Ms }) => p50Ms)),
    ms(mean(({ p99Ms }) => p99Ms)),
    coresOf(took, "many-gateway.role").toFixed(2),
    coresOf(took, "board-server-devices-cpu").toFixed(2),
    loadCores.toFixed(2),
  ];
}
