import { Readable } from "node:stream";
import { request } from "undici";
import { closeDatabase } from "@/lib/server/db";
import { freePort } from "@/scripts/lib/ports.mjs";
import { outcomeLine } from "@/tests/fuzz/each-case";
import { type Ask, followMuch, longLog } from "@/tests/fuzz/log-readers";
import { startInstallation } from "@/tests/support/installation";
import { tellBuild } from "@/tests/support/story";
import { loopDelayMs, residentMib } from "./process-health";

/**
 * Odd readers of a log and of events over real sockets: `npm run bench -- readers COUNT`. The cases of `tests/fuzz/log-readers.ts`, made by
 * seed, to a whole Boardwalk: each gets lines in their order or a reason, and a good reader between them its line. Then the longest delay of
 * the portal's event loop, and its memory before and after.
 */
const count = Number(process.argv[2] ?? 10_000);
const say = (text: string) => process.stdout.write(`${text}\n`);

const metricsPort = await freePort();
const installation = await startInstallation("bench-readers", {
  variables: { PORTAL_METRICS_PORT: String(metricsPort) },
});
Object.assign(process.env, installation.variables);
const pid = installation.processes.running.get("portal")?.pid;
const metrics = async () => await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();

let isSound = false;
try {
  const told = { stages: [], lines: longLog(), problem: null };
  const id = await tellBuild(installation.variables["DATABASE_URL"] ?? "", told);
  // Node's own `fetch` forgets signals that nobody else holds, and reads on.
  const ask: Ask = async (target, options) => {
    const answer = await request(`${installation.portalUrl}/api/v1${target}`, options);
    const { statusCode: status, headers, body } = answer;
    const type = { "content-type": String(headers["content-type"] ?? "") };
    return new Response(Readable.toWeb(body) as ReadableStream, { status, headers: type });
  };
  await followMuch(id, 100, ask);
  await metrics();
  const before = residentMib(pid);
  const outcome = await followMuch(id, count, ask);
  const text = await metrics();
  say(`${count} readers: ${outcomeLine(outcome)}`);
  say(
    `portal: loop delay p99.9 ${loopDelayMs("tail", text)} ms, longest ${loopDelayMs("max", text)} ms; memory ${before} to ${residentMib(pid)} MiB`,
  );
  for (const fault of outcome.faults) say(fault);
  say(`${outcome.faults.length} broken`);
  isSound = outcome.faults.length === 0;
} finally {
  await closeDatabase();
  await installation.stop();
}
process.exit(isSound ? 0 : 1);
