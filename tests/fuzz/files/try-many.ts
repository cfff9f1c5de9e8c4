import { fork } from "node:child_process";
import { once } from "node:events";
import { subjects } from "./subjects";

/** One file: its kind, and its number among those of a seed. */
export interface Case {
  readonly subject: string;
  readonly number: number;
}

/** What the reading process is told first. */
export interface Task {
  readonly cases: readonly Case[];
  readonly seed: number;
}

/** What the reading process tells of its cases, by their place. */
export type Told =
  | { readonly kind: "begun"; readonly at: number }
  | {
      readonly kind: "read";
      /** Format of what was taken, or the reason why it was not. */
      readonly answer: string;
      /** Why that is no answer; null: it is one. */
      readonly fault: string | null;
      readonly cpuMs: number;
    }
  | { readonly kind: "memory"; readonly heapMiB: number; readonly residentMiB: number };

/** What came of many files. */
export interface Outcome {
  /** By kind of file: how often each answer was given. */
  readonly answers: Map<string, Map<string, number>>;
  readonly faults: string[];
  /** Of the reading process after garbage was collected, over the run. */
  readonly heapMiB: number[];
  readonly residentMiB: number[];
  slowest: { readonly shown: string; readonly cpuMs: number };
}

/** As much as an inspection of the product may use. */
const heapMb = 1536;
/** As long as an inspection of the product may take. */
const patienceMs = 60_000;

/**
 * Reads files made by seed in a process of their own, as the product does. One that ends the process, or that takes longer than an
 * inspection may, is a fault, and the rest is read by another process.
 */
export async function tryMany(cases: readonly Case[], seed: number): Promise<Outcome> {
  const outcome: Outcome = {
    answers: new Map(),
    faults: [],
    heapMiB: [],
    residentMiB: [],
    slowest: { shown: "", cpuMs: 0 },
  };
  for (let done = 0; done < cases.length; ) {
    done += await readAll(cases.slice(done), seed, outcome);
  }
  return outcome;
}

/** How many were read before the process ended, the one that ended it included. */
async function readAll(cases: readonly Case[], seed: number, outcome: Outcome): Promise<number> {
  const child = fork("tests/fuzz/files/try-many.child.ts", {
    execArgv: ["--import", "tsx", "--expose-gc", `--max-old-space-size=${heapMb}`],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  child.send({ cases, seed } satisfies Task);
  let isHeld = false;
  const kill = () => {
    isHeld = child.kill("SIGKILL");
  };
  let watch = setTimeout(kill, patienceMs);
  let at = 0;
  let words = "";
  child.stderr?.on("data", (bytes: Buffer) => {
    words = `${words}${bytes}`.slice(-2000);
  });
  const shown = () => {
    const { subject, number } = cases[at] as Case;
    return `FUZZ_SEED=${seed} FUZZ_SUBJECT=${subject} FUZZ_CASE=${number}`;
  };
  child.on("message", (told: Told) => {
    if (told.kind === "begun") {
      at = told.at;
      clearTimeout(watch);
      watch = setTimeout(kill, patienceMs);
    } else if (told.kind === "memory") {
      outcome.heapMiB.push(Math.round(told.heapMiB));
      outcome.residentMiB.push(Math.round(told.residentMiB));
    } else {
      const { answer, fault, cpuMs } = told;
      countAnswer(outcome, cases[at] as Case, answer);
      if (fault !== null) outcome.faults.push(`${shown()}: ${answer}, ${fault}`);
      if (cpuMs > outcome.slowest.cpuMs) outcome.slowest = { shown: shown(), cpuMs };
    }
  });
  const [exitCode, signal] = (await once(child, "exit")) as [number | null, string | null];
  clearTimeout(watch);
  if (exitCode === 0) return cases.length;
  const current = cases[at] as Case;
  if (isHeld && subjects.find(({ name }) => name === current.subject)?.mayHold)
    countAnswer(outcome, current, "INSPECTION_TIMED_OUT");
  else outcome.faults.push(`${shown()} ended its process: ${exitCode ?? signal} ${words}`);
  return at + 1;
}

function countAnswer({ answers }: Outcome, { subject }: Case, answer: string): void {
  const counts = answers.get(subject) ?? new Map<string, number>();
  answers.set(subject, counts.set(answer, (counts.get(answer) ?? 0) + 1));
}
