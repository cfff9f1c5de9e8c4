import { type ChildProcess, fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { appendLog, compactLog, failBuild } from "@/domain/builds";
import { openBrowser } from "@/e2e/support/browser";
import { closeDatabase } from "@/lib/server/db";
import { objectStore } from "@/lib/server/storage";
import { startInstallation } from "@/tests/support/installation";
import { tellBuild } from "@/tests/support/story";
import { LogWriter } from "@/workers/builds/log";
import type { Watched, Watching } from "./logs/viewers.role";
import { quantile } from "./quantile";

/**
 * Logs under load: `npm run bench -- logs LINES VIEWERS`. A build worker's own log writer writes into a whole Boardwalk, viewers
 * follow by server-sent events; of ten one is cut off again and again and comes back with `Last-Event-ID`, one stops reading now
 * and then. What each saw is held against the stored log, byte for byte. First lines at the pace of a talkative tool, for 1, 20
 * and all viewers: how long a line takes to a viewer. Then all lines as fast as they can be stored. Then the page of that log.
 */
const [lines = 100_000, viewers = 100] = process.argv.slice(2).map(Number);
const perSecond = Number(process.env["BENCH_LINES_PER_S"] ?? 1000);
const pacedS = Number(process.env["BENCH_SECONDS"] ?? 15);
const restlessMs = 1500;

const say = (text: string) => process.stdout.write(`${text}\n`);
const installation = await startInstallation("bench-logs");
Object.assign(process.env, installation.variables);
const databaseUrl = installation.variables["DATABASE_URL"] ?? "";
const portal = installation.processes.running.get("portal");
let broken = 0;

/** Megabytes that the portal holds. */
function portalMb(): number {
  const status = readFileSync(`/proc/${portal?.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

async function startViewers(watching: Watching): Promise<{ seen: Promise<Watched[]> }> {
  const child: ChildProcess = fork(join(process.cwd(), "bench/logs/viewers.role.ts"), {
    execArgv: ["--import", "tsx"],
  });
  child.send(watching);
  const [first] = await once(child, "message");
  if (first !== "open") throw new Error("The viewers did not open their streams.");
  return { seen: once(child, "message").then(([results]) => results as Watched[]) };
}

/** A build whose log is written here, watched by so many; answers its id. */
async function run(
  of: number,
  write: (log: LogWriter) => Promise<void>,
): Promise<{ id: string; watched: readonly Watched[]; wroteS: number; sawS: number }> {
  const id = await tellBuild(databaseUrl, { stages: [], lines: [], problem: null });
  const uuid = id.slice("bld_".length);
  const url = `${installation.portalUrl}/api/v1/builds/${id}/log`;
  const { seen } = await startViewers({ url, viewers: of, restlessMs });
  const started = performance.now();
  const log = new LogWriter({
    append: (chunk) => appendLog(uuid, 1, chunk),
    spillPath: join(installation.home.path, "work", "spill"),
    // The usual bound keeps the first 63 MiB of an attempt's log and the last: here each line counts.
    limits: { stored: 2 ** 40, tail: 2 ** 20 },
    onLost: (error) => say(`lines are lost: ${error}`),
  });
  await write(log);
  await log.close();
  const wroteS = (performance.now() - started) / 1000;
  const problem = { code: "internal", reason: "TOOL_FAILED", message: "It ended." } as const;
  await failBuild(uuid, 1, problem, "failed");
  const watched = await seen;
  const sawS = (performance.now() - started) / 1000;
  await compactLog(uuid, 1, objectStore());
  return { id, watched, wroteS, sawS };
}

/** What is stored, as a line of JSON each: hashed as it comes. */
async function storedDigest(id: string): Promise<string> {
  const answer = await fetch(`${installation.portalUrl}/api/v1/builds/${id}/log?format=jsonl`);
  const hash = createHash("sha256");
  for await (const bytes of answer.body ?? []) hash.update(bytes);
  return hash.digest("hex");
}

const text = (n: number) => `Info: routed arc ${n} of net core.mac[${n % 64}].sum`;
const writeLine = (log: LogWriter, n: number) =>
  log.write({ stage: "place", stream: "stdout", level: "info", text: text(n) });

async function paced(log: LogWriter): Promise<void> {
  const started = performance.now();
  const wanted = perSecond * pacedS;
  for (let n = 0; n < wanted; ) {
    const due = Math.min(wanted, ((performance.now() - started) / 1000) * perSecond);
    while (n < due) writeLine(log, ++n);
    await log.room();
    await delay(5);
  }
}

async function flood(log: LogWriter): Promise<void> {
  for (let n = 1; n <= lines; n++) {
    writeLine(log, n);
    if (n % 500 === 0) {
      await log.room();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** Says what viewers saw, and whether each saw what is stored. */
async function judge(id: string, watched: readonly Watched[]): Promise<string> {
  const stored = await storedDigest(id);
  const wrong = watched.filter(({ digest, gaps }) => digest !== stored || gaps > 0);
  broken += wrong.length;
  for (const { kind, lines: saw, gaps } of wrong.slice(0, 3)) {
    say(`  a ${kind} viewer saw ${saw} lines, with ${gaps} gaps: not what is stored`);
  }
  const cut = watched.reduce((sum, { reconnects }) => sum + reconnects, 0);
  const dropped = watched
    .filter(({ kind }) => kind !== "cut")
    .reduce((sum, { reconnects }) => sum + reconnects, 0);
  return `${watched.length - wrong.length} of ${watched.length} saw the stored log byte for byte; ${cut} reconnects, ${dropped} by the server`;
}

try {
  say(`${perSecond} lines/s for ${pacedS} s; from a line's writing to its arrival:`);
  for (const of of [...new Set([1, 20, viewers])].filter((each) => each <= viewers)) {
    const { id, watched } = await run(of, paced);
    const delays = Float64Array.from(
      watched.flatMap(({ kind, delaysMs }) => (kind === "steady" ? delaysMs : [])),
    ).sort();
    say(
      `  ${of} viewers: p50 ${quantile(delays, 0.5).toFixed(0)} ms, p99 ${quantile(delays, 0.99).toFixed(0)} ms; ${await judge(id, watched)}; portal ${portalMb().toFixed(0)} MB`,
    );
  }
  const { id, watched, wroteS, sawS } = await run(viewers, flood);
  say(`${lines} lines as fast as they are stored, ${viewers} viewers:`);
  say(
    `  stored in ${wroteS.toFixed(1)} s (${(lines / wroteS).toFixed(0)} lines/s), seen by all in ${sawS.toFixed(1)} s (${((lines * viewers) / sawS).toFixed(0)} lines/s); portal ${portalMb().toFixed(0)} MB`,
  );
  say(`  ${await judge(id, watched)}`);
  await look(id);
} finally {
  await closeDatabase();
  await installation.stop();
}
say(broken === 0 ? "0 broken" : `${broken} BROKEN`);
process.exit(broken === 0 ? 0 : 1);

/** The page of the long log: what its JavaScript holds, how many elements, and how long a search of all lines takes. */
async function look(id: string): Promise<void> {
  const { browser, context, page } = await openBrowser({ baseURL: installation.portalUrl });
  try {
    const metrics = await context.newCDPSession(page);
    await metrics.send("Performance.enable");
    const heapMb = async () => {
      await metrics.send("HeapProfiler.collectGarbage");
      const { metrics: all } = await metrics.send("Performance.getMetrics");
      return (all.find(({ name }) => name === "JSHeapUsedSize")?.value ?? 0) / 2 ** 20;
    };
    await page.goto("/builds");
    await page.getByRole("main").waitFor();
    const before = await heapMb();
    await page.goto(`/builds/${id}#L${Math.floor(lines / 2)}`);
    const log = page.getByRole("log");
    await log.getByText(text(Math.floor(lines / 2)), { exact: true }).waitFor();
    // Through the log, screen by screen and in leaps.
    for (let step = 0; step < 60; step++) {
      await log.evaluate(
        (element, share) => {
          element.scrollTop = element.scrollHeight * share;
        },
        ((step * 37) % 60) / 60,
      );
      await delay(100);
    }
    const elements = await page.evaluate(() => document.querySelectorAll("*").length);
    say(
      `its page: ${(await heapMb()).toFixed(1)} MB of JavaScript after leaps through all of it (${before.toFixed(1)} MB on the list of builds), ${elements} elements`,
    );
    for (const query of ["text=arc", "text=arc%20%5Cd%2B0%20of&syntax=regex"]) {
      const started = performance.now();
      const { body } = await installation.api(`/builds/${id}/log/search?${query}`);
      const { total } = body as { total: number };
      say(
        `  search ${query}: ${total} lines in ${((performance.now() - started) / 1000).toFixed(2)} s`,
      );
    }
  } finally {
    await browser.close();
  }
}
