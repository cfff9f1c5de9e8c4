import { Backoff } from "@/lib/common/backoff";
import {
  type ClockTry,
  type Stage,
  type StageName,
  type StageRun,
  type StageState,
  stageNames,
} from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import type { LineSpan } from "../log";

export interface StageTrackerOptions {
  readonly save: (stages: readonly Stage[]) => Promise<void>;
  /** Numbers of a stage's first and last log line; null while it has none. */
  readonly linesOf: (name: StageName) => LineSpan | null;
  readonly now?: () => number;
}

interface Progress {
  state: StageState;
  startedAt: string | null;
  /** Of runs that are over; a ladder of clocks enters a stage more than once. */
  spentMs: number;
  enteredAt: number | null;
  /** Why it is skipped, where that is not plain. */
  reason: string | null;
  /** Each time that it ran. */
  readonly runs: Changing<StageRun>[];
}

type Changing<T> = { -readonly [K in keyof T]: T[K] };

/** One line of work: at most one stage of it runs. Lines of work that go on side by side share no stage. */
export interface StageTrack {
  readonly current: StageName | null;
  /** Goes on to a stage; the one before has succeeded. */
  enter(name: StageName): void;
  /** Ends the running stage. */
  leave(state: "succeeded" | "failed"): void;
  /** Ends the running stage before it is done, and says why. */
  breakOff(reason: string): void;
  /** Marks a stage that will not run, and says why. */
  skip(name: StageName, reason: string): void;
  /** Ends what runs; what runs from here on, in forks too, tries a clock. */
  tryClock(hz: number): void;
  /** What became of the clock that is tried. */
  judgeClock(found: Pick<ClockTry, "achievedMhz" | "isMet">): void;
  /** What runs from here on has nothing to do with a clock. */
  endTry(): void;
  /** Another line of work beside this one. */
  fork(): StageTrack;
}

/** The stages of one attempt, each with its durations and log lines. Saving never holds it up. */
export class StageTracker {
  private readonly options: StageTrackerOptions;
  private readonly progress = new Map<StageName, Progress>();
  private dirty = false;
  private saving: Promise<void> | null = null;
  private lost = false;

  constructor(options: StageTrackerOptions) {
    this.options = options;
    for (const name of stageNames) {
      this.progress.set(name, {
        state: "waiting",
        startedAt: null,
        spentMs: 0,
        enteredAt: null,
        reason: null,
        runs: [],
      });
    }
  }

  /** A line of work in which no stage runs yet. @param clock What it tries already. */
  track(clock: Changing<ClockTry> | null = null): StageTrack {
    let tried = clock;
    let running: StageName | null = null;
    const end = (state: StageState, reason: string | null = null) => {
      if (running !== null) this.end(running, state, reason);
      running = null;
    };
    return {
      get current() {
        return running;
      },
      enter: (name) => {
        if (running === name) return;
        end("succeeded");
        this.begin(name, tried);
        running = name;
      },
      leave: end,
      breakOff: (reason) => end("skipped", reason),
      skip: (name, reason) => {
        Object.assign(this.of(name), { state: "skipped", reason });
        this.save();
      },
      tryClock: (hz) => {
        end("succeeded");
        tried = { hz, achievedMhz: null, isMet: null };
      },
      judgeClock: (found) => {
        if (tried) Object.assign(tried, found);
        this.save();
      },
      endTry: () => {
        tried = null;
      },
      fork: () => this.track(tried),
    };
  }

  /** Marks every stage that never ran as not needed. */
  skipRest(): void {
    for (const stage of this.progress.values()) {
      if (stage.state === "waiting") stage.state = "skipped";
    }
    this.save();
  }

  snapshot(): Stage[] {
    return [...this.progress].map(([name, stage]) => {
      const lines = this.options.linesOf(name);
      return {
        name,
        state: stage.state,
        durationMs:
          stage.startedAt === null || stage.enteredAt !== null ? null : Math.round(stage.spentMs),
        startedAt: stage.startedAt,
        firstLine: lines?.first ?? null,
        lastLine: lines?.last ?? null,
        ...(stage.runs.length === 0 ? {} : { runs: stage.runs.map((run) => ({ ...run })) }),
        ...(stage.reason === null ? {} : { reason: stage.reason }),
      };
    });
  }

  /** What was last said is saved, or can never be. */
  async flush(): Promise<void> {
    while (this.dirty && !this.lost) await this.pump();
    await this.saving;
  }

  private begin(name: StageName, clock: ClockTry | null): void {
    const stage = this.of(name);
    const startedAt = new Date().toISOString();
    stage.state = "running";
    stage.reason = null;
    stage.startedAt ??= startedAt;
    stage.runs.push({ startedAt, endedAt: null, state: "running", ...(clock ? { clock } : {}) });
    stage.enteredAt = this.now();
    this.save();
  }

  private end(name: StageName, state: StageState, reason: string | null): void {
    const stage = this.of(name);
    stage.spentMs += this.now() - (stage.enteredAt ?? this.now());
    stage.enteredAt = null;
    stage.state = state;
    const run = stage.runs.at(-1);
    if (run) Object.assign(run, { endedAt: new Date().toISOString(), state });
    stage.reason = reason;
    this.save();
  }

  private of(name: StageName): Progress {
    const stage = this.progress.get(name);
    if (!stage) throw new TypeError(`no stage ${name}`);
    return stage;
  }

  private now(): number {
    return (this.options.now ?? (() => performance.now()))();
  }

  private save(): void {
    this.dirty = true;
    void this.pump();
  }

  private pump(): Promise<void> {
    this.saving ??= this.write().finally(() => {
      this.saving = null;
    });
    return this.saving;
  }

  private async write(): Promise<void> {
    const backoff = new Backoff();
    while (this.dirty && !this.lost) {
      this.dirty = false;
      try {
        await this.options.save(this.snapshot());
        backoff.reset();
      } catch (error) {
        this.dirty = true;
        this.lost = !isAppError(error) || error.reason !== "STORE_UNAVAILABLE";
        if (!this.lost) await backoff.wait();
      }
    }
  }
}
