import { setTimeout as sleep } from "node:timers/promises";
import { median } from "@/bench/median";
import { type Cost, startCosts } from "@/bench/serving/costs";
import { messageOf, requestsOf } from "@/bench/serving/http-load";
import { type Look, look } from "@/bench/serving/look";
import type { Measure } from "@/bench/serving/measure";
import { inputName, modelName, row } from "@/bench/serving/model";
import { type Role, stopRoles } from "@/bench/serving/roles";
import { loadSteadily } from "@/bench/serving/steady-load";
import { setEndpointPaused } from "@/domain/routes";
import { database } from "@/lib/server/db";
import { type ManyEndpoints, nameOf, startManyEndpoints } from "./many-endpoints";
import { coresOf, kib, mib, ms, printTable, say } from "./print";

const counts = [1, 100, Number(process.env["SCALE_ENDPOINTS"] ?? 1000)];
const restSeconds = Number(process.env["BENCH_REST_SECONDS"] ?? 10);
const seconds = Number(process.env["BENCH_SECONDS"] ?? 10);
const perSecond = 200;
const changes = 20;
/** Several reads of the routes, and the first collections of garbage. */
const settleMs = 7000;

interface Figures {
  readonly count: number;
  readonly fresh: Look;
  readonly asked: Look;
  readonly rest: readonly Cost[];
  readonly quiet: Measure;
  readonly changing: Measure;
  readonly longestStopMs: number;
  readonly changeMs: readonly number[];
  /** Within a scrape. */
  readonly scrapeStopMs: number;
  readonly scrape: { readonly ms: number; readonly bytes: number };
  readonly indexMs: number;
}

/** One gateway with ever more endpoints: memory, what it takes at rest, and how soon a change of its routes is served. */
export async function measureEndpoints(): Promise<void> {
  const many = await startManyEndpoints();
  try {
    const figures: Figures[] = [];
    for (const count of counts) figures.push(await measure(many, count));
    print(figures);
  } finally {
    await many.close();
  }
}

async function measure(many: ManyEndpoints, count: number): Promise<Figures> {
  await many.fill(count);
  const gateway = await many.startGateway();
  await sleep(settleMs);
  const fresh = await look(gateway);
  const costs = startCosts([process.pid]);
  await sleep(restSeconds * 1000);
  const rest = costs();
  const messages = Array.from({ length: count }, (_, i) =>
    messageOf(requestsOf(nameOf(i + 1), inputName, row)[0]),
  );
  const load = { port: gateway.port, messages, perSecond, seconds };
  // Twice each: the second call goes to the model's own socket.
  await loadSteadily({ ...load, seconds: (2 * count) / perSecond + 1 });
  const asked = await look(gateway);
  const quiet = await loadSteadily(load);
  await longestStopMs(gateway);
  const [changing] = await Promise.all([loadSteadily(load), changeOften(nameOf(count), seconds)]);
  const stopMs = await longestStopMs(gateway);
  const changeMs: number[] = [];
  for (let n = 0; n < changes; n++) changeMs.push(...(await changeOnce(gateway)));
  const scrape = await read(`http://127.0.0.1:${gateway.metricsPort}/metrics`, {});
  const scrapeStopMs = await longestStopMs(gateway);
  const index = await read(`http://127.0.0.1:${gateway.port}/v2/repository/index`, {
    method: "POST",
  });
  await stopRoles([gateway]);
  return {
    count,
    fresh,
    asked,
    rest,
    quiet,
    changing,
    longestStopMs: stopMs,
    changeMs,
    scrape,
    scrapeStopMs,
    indexMs: index.ms,
  };
}

/** Pauses and resumes a model; the milliseconds from the write to the first answer that knows of it. */
async function changeOnce({ port }: Role): Promise<number[]> {
  const [{ path, headers, body }] = requestsOf(modelName, inputName, row);
  const took: number[] = [];
  for (const paused of [true, false]) {
    await setEndpointPaused(modelName, paused);
    const writtenMs = performance.now();
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: "POST",
        headers,
        body: Buffer.from(body),
      });
      await answer.arrayBuffer();
      if (answer.ok !== paused) break;
    }
    took.push(performance.now() - writtenMs);
  }
  await setReady();
  await sleep(100);
  return took;
}

/** As the reconciler would, when it is resumed. */
async function setReady(): Promise<void> {
  await database().$executeRaw`UPDATE endpoint SET state = 'ready' WHERE name = ${modelName}`;
}

/** Ten changes a second of one endpoint, which answers all the while. */
async function changeOften(name: string, forSeconds: number): Promise<void> {
  for (let n = 0; n < forSeconds * 10; n++) {
    await database().$executeRaw`
      UPDATE endpoint SET state = CASE state WHEN 'ready' THEN 'degraded' ELSE 'ready' END
      WHERE name = ${name}`;
    await sleep(100);
  }
}

async function read(url: string, init: RequestInit) {
  const took: number[] = [];
  let bytes = 0;
  for (let n = 0; n < 5; n++) {
    const startMs = performance.now();
    bytes = (await (await fetch(url, init)).arrayBuffer()).byteLength;
    took.push(performance.now() - startMs);
  }
  return { ms: median(took), bytes };
}

/** The longest that the gateway's event loop stood still since the last look. */
async function longestStopMs({ metricsPort }: Role): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const seconds = /^boardwalk_event_loop_delay_max_seconds (\S+)$/m.exec(text)?.[1];
  return Number(seconds) * 1000;
}

function print(all: readonly Figures[]): void {
  say(
    `\nendpoints of one gateway; at rest ${restSeconds} s; ${perSecond} requests/s over all of them`,
  );
  printTable(
    ["", ...all.map(({ count }) => `${count}`)],
    [
      line("resident, MiB", all, ({ fresh }) => mib(fresh.residentBytes)),
      line("heap, MiB", all, ({ fresh }) => mib(fresh.heapBytes)),
      line("resident when each was asked, MiB", all, ({ asked }) => mib(asked.residentBytes)),
      line("heap when each was asked, MiB", all, ({ asked }) => mib(asked.heapBytes)),
      line("gateway at rest, cores", all, ({ rest }) => coresOf(rest, gatewayName).toFixed(3)),
      line("database at rest, cores", all, ({ rest }) => coresOf(rest, "postgres").toFixed(3)),
      line("p50, ms", all, ({ quiet }) => ms(quiet.p50Ms)),
      line("p99, ms", all, ({ quiet }) => ms(quiet.p99Ms)),
      line("p99, 10 changes/s, ms", all, ({ changing }) => ms(changing.p99Ms)),
      line("longest stop then, ms", all, ({ longestStopMs }) => ms(longestStopMs)),
      line("change served after, ms", all, ({ changeMs }) => ms(median(changeMs))),
      line("  slowest, ms", all, ({ changeMs }) => ms(Math.max(...changeMs))),
      line("scrape, ms", all, ({ scrape }) => ms(scrape.ms)),
      line("scrape, MiB", all, ({ scrape }) => mib(scrape.bytes)),
      line("longest stop of a scrape, ms", all, (of) => ms(of.scrapeStopMs)),
      line("index of models, ms", all, ({ indexMs }) => ms(indexMs)),
    ],
  );
  const [least, most] = [all[0], all.at(-1)];
  if (!least || !most || least === most) return;
  const each = (bytes: (of: Figures) => number) =>
    `${kib((bytes(most) - bytes(least)) / (most.count - least.count))} KiB`;
  say(
    [
      `an endpoint: heap ${each(({ fresh }) => fresh.heapBytes)}, resident ${each(({ fresh }) => fresh.residentBytes)}`,
      `when it was asked: heap ${each(({ asked }) => asked.heapBytes)}, resident ${each(({ asked }) => asked.residentBytes)}`,
    ].join("; "),
  );
}

const gatewayName = "many-gateway.role";

function line(
  name: string,
  all: readonly Figures[],
  cell: (of: Figures) => string,
): readonly string[] {
  return [name, ...all.map(cell)];
}
