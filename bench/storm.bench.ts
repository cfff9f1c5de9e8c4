import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Build, finalBuildStates } from "@/lib/common/contract";
import { root } from "@/scripts/lib/home.mjs";
import { audit } from "@/tests/support/audit";
import { until } from "@/tests/support/client";
import { startInstallation } from "@/tests/support/installation";
import { ask, askStanding, followOne, type Work } from "./storm/clients";
import { countEach, Ledger, tally } from "./storm/ledger";
import { startReceiver } from "./storm/receiver";
import { planFaults, wordsOf } from "./storm/schedule";
import { processesOf, strike, strikeAll } from "./storm/strike";

/**
 * A whole installation under a seeded storm of kills, freezes and bad networks, while clients build models and ask them and write
 * down what they were promised. Then everything is killed at once, comes back, and what was promised is held against clients'
 * ledger, rows, objects and the process table: `npm run bench -- storm --builds 40 --kills 8 --seed 1 --minutes 30`.
 */
const { values } = parseArgs({
  options: {
    builds: { type: "string", default: "40" },
    kills: { type: "string", default: "8" },
    seed: { type: "string", default: "1" },
    /** No build is begun later than this. */
    minutes: { type: "string", default: "60" },
  },
});
const [builds, kills, seed, minutes] = [
  values.builds,
  values.kills,
  values.seed,
  values.minutes,
].map(Number) as [number, number, number, number];
const clients = 6;
const realEvery = 20;
const progressMs = 5000;
const drainMs = 240_000;

const say = (text: string) => process.stdout.write(`${text}\n`);
const started = performance.now();
const sinceStart = () => `${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s`;

process.env["PATH"] = [process.env["PATH"], join(root, ".boardwalk/tools/bin")].join(delimiter);
const schedule = planFaults(seed, builds, kills);
const count = (kind: string) => schedule.filter(({ fault }) => fault.kind === kind).length;
say(
  `seed ${seed}: ${builds} builds, ${kills} kills, ${count("freeze")} freezes, ${count("toxic")} toxics, at most ${minutes} min`,
);
say(
  `every ${realEvery}th build is a real one, synthesised, placed and simulated; the others are models for the CPU, whose plan takes no tool`,
);

const receiver = await startReceiver();
const installation = await startInstallation("storm", {
  steps: "own",
  isLinked: true,
  variables: {
    BOARD_SERVER_CPU_SLOTS: "32",
    WORKER_CONCURRENCY: "2",
    SOURCE_ALLOWED_HOSTS: receiver.host,
  },
});
await receiver.subscribe(installation);
say(`stores: ${installation.links.names.join(", ")}; data in ${installation.home.path}`);
const ledger = new Ledger();
const work: Work = { installation, ledger, seed, realEvery };
const done = { begun: 0, faults: 0, isStormy: true };

const progress = setInterval(() => {
  const { ends, builds: acknowledged, right, refusals, broken } = ledger;
  const refused = [...refusals.values()].reduce((sum, each) => sum + each, 0);
  say(
    `${sinceStart()}  ${acknowledged.size} of ${builds} acknowledged, ${ends.size} ended; ${done.faults} of ${schedule.length} faults; ${right} answers right, ${refused} calls refused, ${broken.length} broken`,
  );
}, progressMs);

let isSound = false;
try {
  await storm();
  isSound = await reckon();
} finally {
  clearInterval(progress);
  await installation.stop();
  receiver.close();
}
const left = processesOf(installation.home.path);
for (const each of left) say(`  left over: ${each}`);
say(`process table: ${left.length} processes left over`);
process.exit(isSound && left.length === 0 ? 0 : 1);

/** Clients work while the schedule strikes, until all builds are done or the time is over. */
async function storm(): Promise<void> {
  const stop = new AbortController();
  const asking = [1, 2].map(() => askStanding(work, stop.signal));
  const striking = strikeAsPlanned();
  await Promise.all(Array.from({ length: clients }, client));
  done.isStormy = false;
  await striking;
  stop.abort();
  await Promise.all(asking);
}

async function client(): Promise<void> {
  while (done.begun < builds && performance.now() - started < minutes * 60_000) {
    const n = done.begun++;
    await followOne(work, n).catch((error: Error) => ledger.breaks(error.message));
  }
}

/** Each fault comes when so many builds are acknowledged; those that last go on beside the next. */
async function strikeAsPlanned(): Promise<void> {
  const lasting: Promise<void>[] = [];
  for (const { after, fault } of schedule) {
    while (ledger.builds.size < after && done.isStormy) await delay(50);
    if (!done.isStormy) break;
    say(`${sinceStart()}  ${wordsOf(fault)}`);
    lasting.push(strike(installation, fault));
    done.faults++;
  }
  await Promise.all(lasting);
}

/** Kills everything, lets it come back, and holds what was promised against what is there. */
async function reckon(): Promise<boolean> {
  say(`${sinceStart()}  kill everything; it comes back by itself`);
  strikeAll(installation);
  await until(
    "the end of every build",
    async () => {
      const open = [...ledger.builds].filter((id) => !ledger.ends.has(id));
      for (const id of open) {
        const build = (await installation.api(`/builds/${id}`)).body as Build;
        if (!finalBuildStates.has(build.state)) return false;
        ledger.ends.set(id, build.state);
      }
      return true;
    },
    drainMs,
  ).catch((error: Error) => ledger.breaks(error.message));
  for (const promised of ledger.endpoints.values())
    await until(`${promised.name} answers`, () => ask(work, promised), drainMs).catch(
      (error: Error) => ledger.breaks(error.message),
    );
  say(`${sinceStart()}  drained; audit`);
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
  const checked = findings.reduce((sum, each) => sum + each.checked, ledger.builds.size);
  const faulty = findings.reduce((sum, each) => sum + each.broken, ledger.broken.length);
  say(`calls refused: ${tally(ledger.refusals)}`);
  say(`ends: ${tally(countEach(ledger.ends.values()))}`);
  say(
    `seed ${seed}: ${ledger.builds.size} builds acknowledged, ${done.faults} faults, ${ledger.right} right answers; ${faulty} broken of ${checked} checked`,
  );
  return faulty === 0;
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
  const { builds: all } = ledger;
  await until(
    "a message about every build",
    async () => [...all].every((id) => receiver.idsOf(id).size > 0),
    drainMs,
  ).catch((error: Error) => ledger.breaks(`R4 ${error.message}`));
  for (const id of all)
    if (receiver.idsOf(id).size > 1)
      ledger.breaks(`R4 the end of ${id} was told under several ids`);
}
