import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { startCosts } from "@/bench/serving/costs";
import { grpcRequestOf, loadGrpc } from "@/bench/serving/grpc-load";
import { loadHttp, requestsOf } from "@/bench/serving/http-load";
import type { Measure } from "@/bench/serving/measure";
import { inputName, modelName, row } from "@/bench/serving/model";
import { type Role, stopRoles } from "@/bench/serving/roles";
import { hasWrk, loadWithWrk } from "@/bench/serving/wrk-load";
import { cpuMsOf } from "@/lib/server/process";
import { type Balancer, hasBalancer, startBalancer } from "./balancer";
import { startManyEndpoints } from "./many-endpoints";
import { coresOf, ms, printTable, say } from "./print";

const counts = [1, 2, 4];
const clients = 64;
const seconds = Number(process.env["BENCH_SECONDS"] ?? 6);

const [json] = requestsOf(modelName, inputName, row);
const message = grpcRequestOf(modelName, inputName, row);
const overHttp = hasWrk ? loadWithWrk : loadHttp;
type Address = Pick<Role, "port" | "grpcPort">;
const loads: Readonly<Record<string, (gateway: Address, share: number) => Promise<Measure>>> = {
  JSON: ({ port }, share) => overHttp({ ...json, port, clients: share, seconds }),
  gRPC: ({ grpcPort = 0 }, share) => loadGrpc({ message, port: grpcPort, clients: share, seconds }),
};

/**
 * Gateways, each on its own ports, with one database and one board server behind them; then, where HAProxy is installed, behind one
 * address, each gateway bound to one processor.
 */
export async function measureGateways(): Promise<void> {
  const many = await startManyEndpoints();
  try {
    await many.fill(1);
    const rows: string[][] = [];
    for (const count of counts) {
      const gateways: Role[] = [];
      for (let n = 0; n < count; n++) gateways.push(await many.startGateway());
      for (const form of Object.keys(loads)) rows.push(await measure(form, gateways));
      if (hasBalancer) {
        gateways.forEach(bindToProcessor);
        const balancer = await startBalancer(gateways);
        for (const form of Object.keys(loads)) rows.push(await measure(form, gateways, balancer));
        await balancer.stop();
      }
      await stopRoles(gateways);
    }
    say(
      `\nseveral gateways, on ports of their own or behind one address. ${clients} clients in all, ${cpus().length} processors`,
    );
    printTable(
      [
        "gateways",
        "address",
        "form",
        "requests/s",
        "p50, ms",
        "p99, ms",
        "gateways, cores",
        "model",
        "HAProxy",
        "load",
      ],
      rows,
    );
  } finally {
    await many.close();
  }
}

/** With all its threads. */
function bindToProcessor({ child }: Role, n: number): void {
  execFileSync("taskset", ["-a", "-c", "-p", String(n % cpus().length), String(child.pid)]);
}

async function measure(
  form: string,
  gateways: readonly Role[],
  balancer?: Balancer,
): Promise<string[]> {
  const load = loads[form];
  if (!load) return [];
  const addresses: readonly Address[] = balancer ? [balancer] : gateways;
  const share = clients / addresses.length;
  const run = () => Promise.all(addresses.map((address) => load(address, share)));
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
    balancer ? "one" : "own",
    form,
    sum.toFixed(0),
    ms(mean(({ p50Ms }) => p50Ms)),
    ms(mean(({ p99Ms }) => p99Ms)),
    coresOf(took, "many-gateway.role").toFixed(2),
    coresOf(took, "board-server-devices-cpu").toFixed(2),
    coresOf(took, "haproxy").toFixed(2),
    loadCores.toFixed(2),
  ];
}
