import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Cost, startCosts } from "@/bench/serving/costs";
import type { Held, HeldTask } from "@/bench/serving/held";
import { messageOf, requestsOf } from "@/bench/serving/http-load";
import { askRole, look } from "@/bench/serving/look";
import type { Measure } from "@/bench/serving/measure";
import { inputName, modelName, row } from "@/bench/serving/model";
import { type Role, startRole, stopRoles } from "@/bench/serving/roles";
import { loadSteadily } from "@/bench/serving/steady-load";
import { type ManyEndpoints, startManyEndpoints } from "./many-endpoints";
import { coresOf, kib, mib, ms, printTable, say } from "./print";

const wanted = Number(process.env["SCALE_CONNECTIONS"] ?? 10_000);
const seconds = Number(process.env["BENCH_SECONDS"] ?? 10);
const goodPerSecond = 200;
const renewedPerSecond = 500;
/** A client may have 1024, and each of these is one. */
const addresses = 16;
/** Connections that were closed are gone by then. */
const settleMs = 2000;
/** What a process has open beside the connections. */
const spareFiles = 200;

/** Many connections that each asked once, HTTP and then gRPC: memory of each, and what a client beside them notices. */
export async function measureConnections(): Promise<void> {
  const limit = openFiles();
  const count = Math.min(wanted, limit - spareFiles, addresses * 1000);
  say(`\n${count} connections from ${addresses} addresses; a process may open ${limit} files`);
  const many = await startManyEndpoints();
  try {
    await many.fill(1);
    for (const protocol of ["HTTP", "gRPC"] as const) await measure(many, protocol, count);
  } finally {
    await many.close();
  }
}

/** What Node raises its limit to by itself. */
function openFiles(): number {
  const limits = readFileSync("/proc/self/limits", "utf8");
  return Number(/^Max open files +\S+ +(\d+)/m.exec(limits)?.[1] ?? 1024);
}

interface Phase {
  readonly what: string;
  readonly good: Measure;
  readonly costs: readonly Cost[];
}

async function measure(many: ManyEndpoints, protocol: "HTTP" | "gRPC", count: number) {
  const gateway = await many.startGateway();
  const port = protocol === "HTTP" ? gateway.port : (gateway.grpcPort ?? 0);
  const clients = await startRole("held", [protocol, `${port}`, `${count}`, `${addresses}`]);
  const ask = (task: HeldTask) => askRole<Held>(clients, task);
  const phases: Phase[] = [];
  try {
    await goodWhile(gateway, { what: "", forSeconds: 3 });
    phases.push(await goodWhile(gateway, { what: "none open" }));
    await sleep(settleMs);
    const before = await look(gateway);
    const opened = await ask({ kind: "open" });
    const after = await look(gateway);
    const costs = startCosts([process.pid]);
    await sleep(seconds * 1000);
    const rest = coresOf(costs(), "many-gateway.role");
    phases.push(await goodWhile(gateway, { what: "all open, silent" }));
    const churning = ask({ kind: "churn", perSecond: renewedPerSecond, seconds });
    phases.push(await goodWhile(gateway, { what: `${renewedPerSecond}/s come and go` }));
    const renewed = await churning;
    const closed = await ask({ kind: "close" });
    await sleep(settleMs);
    const left = await look(gateway);
    const each = (bytes: number) => `${kib(bytes / opened.open)} KiB`;
    say(
      [
        `\n${protocol}: ${opened.open} open (${opened.lost} refused), ${opened.perSecond.toFixed(0)}/s opened, p99 of dialling and asking ${ms(opened.p99Ms)} ms`,
        `a connection: heap ${each(after.heapBytes - before.heapBytes)}, buffers ${each(after.externalBytes - before.externalBytes)}, resident ${each(after.residentBytes - before.residentBytes)}`,
        `gateway with all of them silent: ${rest.toFixed(3)} cores`,
        `come and go: ${renewed.perSecond.toFixed(0)}/s, ${renewed.open} open, ${renewed.lost} lost, p50 ${ms(renewed.p50Ms)} ms, p99 ${ms(renewed.p99Ms)} ms`,
        `closed: ${left.connections - before.connections} connections and ${left.handles - before.handles} handles more than before, heap ${mib(before.heapBytes)} to ${mib(left.heapBytes)} MiB, ${closed.open} open`,
      ].join("\n  "),
    );
    printTable(
      [`a client of ${goodPerSecond}/s`, "p50, ms", "p99, ms", "gateway, cores", "clients, cores"],
      phases.map(({ what, good, costs: all }) => [
        what,
        ms(good.p50Ms),
        ms(good.p99Ms),
        coresOf(all, "many-gateway.role").toFixed(2),
        coresOf(all, "held.role").toFixed(2),
      ]),
    );
  } finally {
    await stopRoles([clients, gateway]);
  }
}

/** What a client notices that asks at a constant rate. */
async function goodWhile(
  { port }: Role,
  { what, forSeconds = seconds }: { readonly what: string; readonly forSeconds?: number },
): Promise<Phase> {
  const messages = [messageOf(requestsOf(modelName, inputName, row)[0])];
  const costs = startCosts([process.pid]);
  const good = await loadSteadily({
    port,
    messages,
    perSecond: goodPerSecond,
    seconds: forSeconds,
  });
  return { what, good, costs: costs() };
}
