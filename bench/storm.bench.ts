import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Build, type Endpoint, finalBuildStates } from "@/lib/common/contract";
import { root } from "@/scripts/lib/home.mjs";
import { freePort } from "@/scripts/lib/ports.mjs";
import { audit } from "@/tests/support/audit";
import { until } from "@/tests/support/client";
import { startInstallation } from "@/tests/support/installation";
import { ask, askStanding, followOne, type Work } from "./storm/clients";
import { countEach, Ledger, tally } from "./storm/ledger";
import { startReceiver } from "./storm/receiver";
import { copies, planFaults, wordsOf } from "./storm/schedule";
import { processesOf, strike, strikeAll } from "./storm/strike";

/**
 * A whole installation, with two of each process but the portal and the board server, under a seeded storm of kills, freezes and bad
 * networks, while clients build models and ask them and write down what they were promised. Then everything is killed at once,
 * comes back, and what was promised is held against clients' ledger, rows, objects and the process table:
 * `npm run bench -- storm --builds 40 --kills 8 --seed 1 --minutes 30`. One that was stopped, or whose time was over, goes on with
 * `--resume FOLDER`.
 */
const { values } = parseArgs({
  options: {
    builds: { type: "string", default: "40" },
    kills: { type: "string", default: "8" },
    seed: { type: "string", default: "1" },
    /** No build is begun later than this. */
    minutes: { type: "string", default: "60" },
    /** The data folder of a storm that is not over. */
    resume: { type: "string" },
  },
});
interface Plan {
  readonly builds: number;
  readonly kills: number;
  readonly seed: number;
  readonly receiverPort: number;
}
const clients = 6;
const realEvery = 20;
const progressMs = 5000;
const drainMs = 240_000;
/** Ends of builds that a storm may bring about: its stores were away for longer than a build waits. */
const excused = /^failed (LEASE_LOST|SOURCE_UNAVAILABLE|STORE_UNAVAILABLE)$/;

const say = (text: string) => process.stdout.write(`${text}\n`);
const started = performance.now();
const sinceStart = () => `${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s`;

process.env["PATH"] = [process.env["PATH"], join(root, ".boardwalk/tools/bin")].join(delimiter);
// It stays until the storm is over, so that it can go on.
process.env["BOARDWALK_KEEP"] = "1";
const folder = values.resume ?? mkdtempSync(join(tmpdir(), "bw-storm-"));
const { builds, kills, seed, receiverPort } = await planOf(join(folder, "storm.json"));
const minutes = Number(values.minutes);
const schedule = planFaults(seed, builds, kills);
const count = (kind: string) => schedule.filter(({ fault }) => fault.kind === kind).length;
say(
  `seed ${seed}: ${builds} builds, ${kills} kills, ${count("freeze")} freezes, ${count("toxic")} toxics, at most ${minutes} min`,
);
say(
  `every ${realEvery}th build is a real one, synthesised, placed and simulated; the others are models for the CPU, whose plan takes no tool`,
);
say(`one that was stopped goes on: npm run bench -- storm --resume ${folder}`);

const ledger = new Ledger(join(folder, "ledger.json"));
const receiver = await startReceiver(ledger, receiverPort);
const [http, grpc, metrics] = await Promise.all([1, 2, 3].map(() => freePort()));
const installation = await startInstallation("storm", {
  folder,
  steps: "own",
  isLinked: true,
  copies: {
    ...Object.fromEntries(copies.map((name) => [name, {}])),
    "gateway-2": {
      GATEWAY_HTTP_PORT: String(http),
      GATEWAY_GRPC_PORT: String(grpc),
      GATEWAY_METRICS_PORT: String(metrics),
    },
  },
  variables: {
    BOARD_SERVER_CPU_SLOTS: "32",
    WORKER_CONCURRENCY: "2",
    SOURCE_ALLOWED_HOSTS: `127.0.0.1:${receiverPort}`,
  },
});
if (ledger.builds.size === 0) await receiver.subscribe(installation);
say(`stores: ${installation.links.names.join(", ")}; data in ${folder}`);
const gateways = [installation.gatewayUrl, `http://127.0.0.1:${http}`];
const work: Work = { installation, gateways, ledger, seed, realEvery };
const waiting = Array.from({ length: builds }, (_, n) => n).filter((n) => !ledger.through.has(n));
let isStormy = true;

const progress = setInterval(() => {
  const { ends, builds: acknowledged, right, refusals, broken } = ledger;
  const refused = [...refusals.values()].reduce((sum, each) => sum + each, 0);
  ledger.keep();
  say(
    `${sinceStart()}  ${acknowledged.size} of ${builds} acknowledged, ${ends.size} ended; ${ledger.faults} of ${schedule.length} faults; ${right} answers right, ${refused} calls refused, ${broken.length} broken`,
  );
}, progressMs);

let isSound = false;
try {
  await storm();
  isSound = await reckon();
} finally {
  clearInterval(progress);
  if (waiting.length === 0) delete process.env["BOARDWALK_KEEP"];
  await installation.stop();
  receiver.close();
}
const left = processesOf(installation.home.path);
for (const each of left) say(`  left over: ${each}`);
say(`process table: ${left.length} processes left over`);
process.exit(isSound && left.length === 0 ? 0 : 1);

/** The plan of a storm that goes on, or that of the command line, which is written down. */
async function planOf(file: string): Promise<Plan> {
  if (values.resume !== undefined) return JSON.parse(readFileSync(file, "utf8")) as Plan;
  const plan: Plan = {
    builds: Number(values.builds),
    kills: Number(values.kills),
    seed: Number(values.seed),
    receiverPort: await freePort(),
  };
  writeFileSync(file, JSON.stringify(plan));
  return plan;
}

/** Clients work while the schedule strikes, until all builds are done or the time is over. */
async function storm(): Promise<void> {
  const stop = new AbortController();
  const asking = [1, 2].map(() => askStanding(work, stop.signal));
  const striking = strikeAsPlanned();
  await Promise.all(Array.from({ length: clients }, client));
  isStormy = false;
  await striking;
  stop.abort();
  await Promise.all(asking);
}

async function client(): Promise<void> {
  while (performance.now() - started < minutes * 60_000) {
    const n = waiting.shift();
    if (n === undefined) return;
    await followOne(work, n).catch((error: Error) => ledger.breaks(error.message));
    ledger.through.add(n);
  }
}

/** Each fault comes when so many builds are acknowledged; those that last go on beside the next. */
async function strikeAsPlanned(): Promise<void> {
  const lasting: Promise<void>[] = [];
  for (const { after, fault } of schedule.slice(ledger.faults)) {
    while (ledger.builds.size < after && isStormy) await delay(50);
    if (!isStormy) break;
    say(`${sinceStart()}  ${wordsOf(fault)}`);
    lasting.push(strike(installation, fault));
    ledger.faults++;
  }
  await Promise.all(lasting);
}

/** Kills everything, lets it come back, and holds what was promised against what is there. */
async function reckon(): Promise<boolean> {
  say(`${sinceStart()}  kill everything; it comes back by itself`);
  strikeAll(installation);
  await drain();
  say(`${sinceStart()}  drained; audit`);
  holdEnds();
  await holdCancels();
  await holdMessages();
  const { findings, broken } = await audit(
    installation,
    { builds: [...ledger.builds], endpoints: [] },
    async () => true,
  );
  for (const { invariant, says, checked, broken: faulty } of findings)
    say(`  ${invariant.padEnd(4)} ${faulty} broken of ${checked}: ${says}`);
  for (const fault of [...ledger.broken, ...broken]) say(`  BROKEN ${fault}`);
  const idle = findings.filter(({ checked }) => checked === 0).map(({ says }) => says);
  if (idle.length > 0) say(`nothing to hold against: ${idle.join("; ")}`);
  const checked = findings.reduce((sum, each) => sum + each.checked, ledger.builds.size);
  const faulty = findings.reduce((sum, each) => sum + each.broken, ledger.broken.length);
  say(`calls refused: ${tally(ledger.refusals)}`);
  say(`ends: ${tally(countEach(ledger.ends.values()))}`);
  say(
    `seed ${seed}: ${ledger.builds.size} builds acknowledged, ${ledger.faults} faults, ${ledger.right} right answers; ${faulty} broken of ${checked} checked`,
  );
  return faulty === 0;
}

/** Waits until every build has ended, and every endpoint that a client was promised is ready and answers. */
async function drain(): Promise<void> {
  await until(
    "the end of every build",
    async () => {
      for (const id of [...ledger.builds].filter((each) => !ledger.ends.has(each))) {
        const build = (await installation.api(`/builds/${id}`)).body as Build;
        if (!finalBuildStates.has(build.state)) return false;
        ledger.ends.set(id, build.state);
      }
      return true;
    },
    drainMs,
  ).catch((error: Error) => ledger.breaks(error.message));
  for (const promised of ledger.endpoints.values()) {
    const { name } = promised;
    await until(`${name} is ready`, () => isReady(name), drainMs)
      .then(() => until(`${name} answers`, () => ask(work, promised), drainMs))
      .catch((error: Error) => ledger.breaks(error.message));
  }
}

async function isReady(name: string): Promise<boolean> {
  const { status, body } = await installation.api(`/endpoints/${name}`);
  return status === 200 && (body as Endpoint).state === "ready";
}

/** A build ends as its client asked, or for want of a store: nothing else is the storm's. */
function holdEnds(): void {
  for (const [id, end] of ledger.ends)
    if (end.startsWith("failed") && !excused.test(end)) ledger.breaks(`${id} ended as ${end}`);
}

/** R12 as clients saw it. */
async function holdCancels(): Promise<void> {
  for (const id of ledger.cancelled) {
    const { state } = await until(`a look at ${id}`, async () => {
      const { status, body } = await installation.api(`/builds/${id}`);
      return status === 200 && (body as Build);
    });
    if (state !== "cancelled") ledger.breaks(`R12 ${id} was cancelled and is ${state}`);
  }
}

/** R4 as a receiver saw it: it was told of every end, always under the same id. */
async function holdMessages(): Promise<void> {
  const { builds: all, told } = ledger;
  await until(
    "a message about every build",
    async () => [...all].every((id) => told.has(id)),
    drainMs,
  ).catch((error: Error) => ledger.breaks(`R4 ${error.message}`));
  for (const [id, messages] of told)
    if (messages.length > 1) ledger.breaks(`R4 the end of ${id} was told under several ids`);
}
