import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { settleIntents } from "@/domain/audit-log";
import { reconcileLeases } from "@/domain/board-leases";
import { expireTasks, noteSilence } from "@/domain/boards";
import { reconcileEndpoints } from "@/domain/endpoints";
import { endLeasesOfDeadWorkers } from "@/domain/leases";
import { expireInspections } from "@/domain/models";
import {
  cancelOrphans,
  endDeadlines,
  expireLeases,
  repairArtifacts,
  republishOutbox,
  sweepTable,
  sweptTables,
} from "@/domain/reconcile";
import { rollUpTraffic } from "@/domain/traffic";
import { isAppError } from "@/lib/common/errors";
import { Bell, type Leadership, tryLead } from "@/lib/server/db";
import { isOver } from "@/lib/server/process";
import type { Producer } from "@/lib/server/queue";
import type { ObjectStore } from "@/lib/server/storage";
import { sweepObjects } from "./sweep-objects";

/** How often the reconciler looks, and what it repairs with. */
export interface ReconcilerOptions {
  readonly producer: Producer;
  readonly store: ObjectStore;
  readonly sweepS: number;
  /** Leases are let be for so long after our start and after each outage of the database. */
  readonly graceS: number;
  /** How long who comes from a waiting list has to do something with a board; left out: as usual. */
  readonly acceptMinutes?: number;
  readonly log: Logger;
}

const hourMs = 3600 * 1000;
/** Changes come in flocks: one look is enough for those that follow at once. */
const settleMs = 30;

type Repair = readonly [name: string, run: () => Promise<number>];

/** What each sweep repairs, the endpoints first. In a time of grace nobody is taken for dead. */
function repairsNow(
  { producer, acceptMinutes }: Pick<ReconcilerOptions, "producer" | "acceptMinutes">,
  isGrace: boolean,
): Repair[] {
  const ofTheDead: readonly Repair[] = [
    ["dead workers", () => endLeasesOfDeadWorkers(isOver)],
    ["leases", expireLeases],
    ["inspections", expireInspections],
    ["orphans", cancelOrphans],
  ];
  return [
    ["endpoints", countOf(reconcileEndpoints)],
    ["jobs", () => republishOutbox((queue, jobId) => producer.isLive(queue, jobId))],
    ...(isGrace ? [] : ofTheDead),
    ["board leases", () => reconcileLeases(acceptMinutes === undefined ? {} : { acceptMinutes })],
    ["boards", noteSilence],
    ["tasks", expireTasks],
    ["deadlines", endDeadlines],
    ["artifacts", repairArtifacts],
    ["audit log", settleIntents],
  ];
}

function hourlyRepairs(store: ObjectStore): Repair[] {
  return [
    ["traffic", rollUpTraffic],
    ...sweptTables.map((table): Repair => [table, () => sweepTable(table)]),
    ["objects", () => sweepObjects(store)],
  ];
}

/**
 * Brings what is reported to what is desired, on one process of the installation at a time. Every repair checks its
 * condition again while it writes, so an ex-leader that wakes up late does no harm.
 */
export function startReconciler(options: ReconcilerOptions): {
  /** Whether this process is the one that repairs now. */
  readonly leads: boolean;
  close(): Promise<void>;
} {
  const { store, sweepS, graceS, log } = options;
  const stop = new AbortController();
  // What tells of changes that an endpoint may wait for.
  const bell = new Bell(["event", "command"], { settleMs });
  let graceEndsAt = performance.now() + graceS * 1000;
  let hourlyAt = 0;
  let leads = false;

  const isGrace = () => performance.now() < graceEndsAt;
  const hourly = hourlyRepairs(store);

  /** Each repair stands alone: one that fails keeps no other from its turn. */
  const repair = async (list: readonly Repair[]) => {
    for (const [name, run] of list) {
      if (stop.signal.aborted) return;
      try {
        const count = await run();
        if (count > 0) log.info({ repair: name, count }, "repaired");
      } catch (err) {
        if (isAppError(err) && err.reason === "STORE_UNAVAILABLE" && name !== "jobs") {
          graceEndsAt = performance.now() + graceS * 1000;
          throw err;
        }
        log.warn({ err, repair: name }, "repair failed");
      }
    }
  };

  const lead = async (leadership: Leadership) => {
    log.info({ term: leadership.term }, "leads");
    const end = AbortSignal.any([stop.signal, leadership.lost]);
    let sweepAt = 0;
    while (!end.aborted) {
      const isSweep = performance.now() >= sweepAt;
      if (isSweep) sweepAt = performance.now() + sweepS * 1000;
      const all = repairsNow(options, isGrace());
      await repair(isSweep ? all : all.slice(0, 1));
      if (performance.now() >= hourlyAt) {
        hourlyAt = performance.now() + hourMs;
        await repair(hourly);
      }
      await bell.wait(Math.max(0, sweepAt - performance.now()), end);
    }
  };

  const run = async () => {
    while (!stop.signal.aborted) {
      try {
        const leadership = await tryLead();
        if (leadership) {
          try {
            leads = true;
            await lead(leadership);
          } finally {
            leads = false;
            await leadership.close();
          }
          log.info("leads no more");
        }
      } catch (err) {
        log.warn({ err }, "reconciler waits for the database");
        graceEndsAt = performance.now() + graceS * 1000;
      }
      await delay(Math.min(sweepS, 2) * 1000, undefined, { signal: stop.signal }).catch(() => {});
    }
  };
  const running = run();
  return {
    get leads() {
      return leads;
    },
    async close() {
      stop.abort();
      await Promise.all([running, bell.close()]);
    },
  };
}

const countOf = (run: () => Promise<unknown>) => async () => {
  const count = await run();
  return typeof count === "number" ? count : 0;
};
