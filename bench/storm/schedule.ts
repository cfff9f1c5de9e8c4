import { type Random, randomFrom } from "@/compiler/random";
import { processNames } from "@/scripts/lib/stack.mjs";
import type { Toxic } from "@/tests/support/fault-proxy";
import type { LinkedStore } from "@/tests/support/store-links";

const stores = ["postgres", "redis", "storage"] as const satisfies readonly LinkedStore[];
/** Processes that a storm runs twice. */
export const copies = ["gateway-2", "control-2", "build-worker-2"] as const;
const victims: readonly string[] = [...processNames, ...copies, ...stores];

/** Something that is done to the installation. */
export type Fault =
  | { readonly kind: "kill"; readonly victim: string }
  | { readonly kind: "freeze"; readonly victim: string; readonly forMs: number }
  | {
      readonly kind: "toxic";
      readonly store: LinkedStore;
      readonly toxic: Toxic;
      readonly forMs: number;
    };

/** A fault, and how many builds are acknowledged when it comes. */
export interface Planned {
  readonly after: number;
  readonly fault: Fault;
}

/** What is asked twice of a store when the answer is lost: a commit, a job, an object. */
const lostAnswers: Readonly<Record<LinkedStore, string>> = {
  postgres: "COMMIT",
  redis: "evalsha",
  storage: "PUT ",
};

/**
 * So many kills, spread over the builds, and beside every second one a freeze or a toxic. Equal seeds give equal schedules; the
 * victims come in turn, in an order that the seed shuffles, so that a few kills meet each of them.
 */
export function planFaults(seed: number, builds: number, kills: number): readonly Planned[] {
  const random = randomFrom(seed);
  const planned: Planned[] = [];
  let turn: string[] = [];
  for (let n = 0; n < kills; n++) {
    if (turn.length === 0) turn = shuffled(victims, random);
    const after = Math.floor(((n + random.uniform()) * builds) / (kills + 1));
    planned.push({ after, fault: { kind: "kill", victim: turn.pop() ?? "" } });
    if (random.uniform() < 0.5) planned.push({ after, fault: freeze(random) });
    if (random.uniform() < 0.5) planned.push({ after, fault: spoil(random) });
  }
  return planned;
}

function freeze(random: Random): Fault {
  return { kind: "freeze", victim: pick(victims, random), forMs: random.integer(200, 8000) };
}

function spoil(random: Random): Fault {
  const store = pick(stores, random);
  const toxics: readonly Toxic[] = [
    { kind: "latency", ms: random.integer(20, 300) },
    { kind: "reset" },
    { kind: "half-open" },
    { kind: "slow-close", ms: random.integer(200, 2000) },
    { kind: "lost-answer", to: lostAnswers[store] },
  ];
  return { kind: "toxic", store, toxic: pick(toxics, random), forMs: random.integer(500, 6000) };
}

const pick = <T>(values: readonly T[], random: Random): T =>
  values[random.integer(0, values.length - 1)] as T;

function shuffled<T>(values: readonly T[], random: Random): T[] {
  const left = [...values];
  return values.map(() => left.splice(random.integer(0, left.length - 1), 1)[0] as T);
}

/** A fault in a few words. */
export function wordsOf(fault: Fault): string {
  if (fault.kind === "kill") return `kill ${fault.victim}`;
  const forS = (fault.forMs / 1000).toFixed(1);
  if (fault.kind === "freeze") return `freeze ${fault.victim} for ${forS} s`;
  return `${fault.toxic.kind} before ${fault.store} for ${forS} s`;
}
