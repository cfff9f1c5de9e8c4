import { setTimeout as sleep } from "node:timers/promises";
import { grpcRequestOf, loadGrpc } from "@/bench/serving/grpc-load";
import { loadHttp, requestsOf } from "@/bench/serving/http-load";
import { type Look, look } from "@/bench/serving/look";
import { inputName, modelName, row } from "@/bench/serving/model";
import { type Role, stopRoles } from "@/bench/serving/roles";
import { hasWrk, loadWithWrk } from "@/bench/serving/wrk-load";
import { startManyEndpoints } from "./many-endpoints";
import { mib, printTable, say } from "./print";

const wanted = Number(process.env["SCALE_REQUESTS"] ?? 200_000);
/** The heap has its size after so many. */
const warmUp = Math.min(50_000, wanted / 4);
const clients = 16;
const pieceSeconds = 2;
const settleMs = 3000;
const allowed = 0.05;

const [json, binary] = requestsOf(modelName, inputName, row);
const message = grpcRequestOf(modelName, inputName, row);
const overHttp = hasWrk ? loadWithWrk : loadHttp;

/** Requests as JSON, as binary and over gRPC side by side: what the gateway holds at their start, middle and end. */
export async function measureGrowth(): Promise<void> {
  const many = await startManyEndpoints();
  try {
    await many.fill(1);
    const gateway = await many.startGateway();
    const looks: { requests: number; seen: Look }[] = [];
    let done = 0;
    const startMs = performance.now();
    for (const end of [warmUp, warmUp + wanted / 2, warmUp + wanted]) {
      while (done < end) done += await askAll(gateway);
      await sleep(settleMs);
      looks.push({ requests: done, seen: await look(gateway) });
    }
    const elapsedS = (performance.now() - startMs) / 1000;
    await stopRoles([gateway]);
    print(looks, elapsedS);
  } finally {
    await many.close();
  }
}

async function askAll({ port, grpcPort = 0 }: Role): Promise<number> {
  const seconds = pieceSeconds;
  const measures = await Promise.all([
    overHttp({ ...json, port, clients, seconds }),
    overHttp({ ...binary, port, clients, seconds }),
    loadGrpc({ message, port: grpcPort, clients, seconds }),
  ]);
  return measures.reduce((sum, { perSecond }) => sum + Math.round(perSecond * seconds), 0);
}

function print(
  looks: readonly { readonly requests: number; readonly seen: Look }[],
  elapsedS: number,
): void {
  say(
    `\ngrowth: ${clients} clients each of JSON, binary and gRPC for ${elapsedS.toFixed(0)} s; garbage collected`,
  );
  printTable(
    ["requests", "heap, MiB", "buffers, MiB", "resident, MiB", "handles", "connections"],
    looks.map(({ requests, seen }) => [
      requests.toLocaleString("en"),
      mib(seen.heapBytes),
      mib(seen.externalBytes),
      mib(seen.residentBytes),
      `${seen.handles}`,
      `${seen.connections}`,
    ]),
  );
  const [first, last] = [looks[0]?.seen, looks.at(-1)?.seen];
  if (!first || !last) return;
  for (const [name, key] of [
    ["heap", "heapBytes"],
    ["resident", "residentBytes"],
    ["handles", "handles"],
  ] as const) {
    const growth = last[key] / first[key] - 1;
    const verdict = growth > allowed ? `more than ${allowed * 100} %` : "within bounds";
    say(`  ${name}: ${(growth * 100).toFixed(1)} % from start to end, ${verdict}`);
  }
}
