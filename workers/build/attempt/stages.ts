import { setTimeout as delay } from "node:timers/promises";
import { type Stage, type StageName, type StageState, stageNames } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";

export interface StageTrackerOptions {
  readonly save: (stages: readonly Stage[]) => Promise<void>;
  /** Number of the last log line, to say which lines belong to a stage. */
  readonly lastLine: () => number;
  readonly now?: () => number;
}

interface Progress {
  state: StageState;
  startedAt: string | null;
  /** Of runs that are over; a ladder of clocks enters a stage more than once. */
  spentMs: number;
  enteredAt: number | null;
  firstLine: number | null;
  lastLine: number | null;
  /** Why it is skipped, where that is not plain. */
  reason: string | null;
}

/** The stages of one attempt: one runs at a time, each with its durations and log lines. Saving never holds it up. */
export class StageTracker {
  private readonly options: StageTrackerOptions;
  private readonly progress = new Map<StageName, Progress>();
  private running: StageName | null = null;
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
        firstLine: null,
        lastLine: null,
        reason: null,
      });
    }
  }

  get current(): StageName | null {
    return this.running;
  }

  /** Goes on to a stage; the one before has succeeded. */
  enter(name: StageName): void {
    if (this.running === name) return;
    this.leave("succeeded");
    const stage = this.of(name);
    stage.state = "running";
    stage.startedAt ??= new Date().toISOString();
    stage.enteredAt = this.now();
    stage.firstLine ??= this.options.lastLine() + 1;
    this.running = name;
    this.save();
  }

  /** Ends the running stage. */
  leave(state: "succeeded" | "failed"): void {
    if (this.running === null) return;
    const stage = this.of(this.running);
    stage.spentMs += this.now() - (stage.enteredAt ?? this.now());
    stage.enteredAt = null;
    stage.state = state;
    const last = this.options.lastLine();
    if (stage.firstLine !== null && last >= stage.firstLine) stage.lastLine = last;
    this.running = null;
    this.save();
  }

  /** Marks a stage that will not run, and says why. */
  skip(name: StageName, reason: string): void {
    const stage = this.of(name);
    stage.state = "skipped";
    stage.reason = reason;
    this.save();
  }

  /** Marks every stage that never ran as not needed. */
  skipRest(): void {
    for (const stage of this.progress.values()) {
      if (stage.state === "waiting") stage.state = "skipped";
    }
    this.save();
  }

  snapshot(): Stage[] {
    return [...this.progress].map(([name, stage]) => ({
      name,
      state: stage.state,
      durationMs:
        stage.startedAt === null || stage.enteredAt !== null ? null : Math.round(stage.spentMs),
      startedAt: stage.startedAt,
      firstLine: stage.lastLine === null ? null : stage.firstLine,
      lastLine: stage.lastLine,
      ...(stage.reason === null ? {} : { reason: stage.reason }),
    }));
  }

  /** What was last said is saved, or can never be. */
  async flush(): Promise<void> {
    while (this.dirty && !this.lost) await this.pump();
    await this.saving;
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
    for (let pauseMs = 100; this.dirty && !this.lost; ) {
      this.dirty = false;
      try {
        await this.options.save(this.snapshot());
        pauseMs = 100;
      } catch (error) {
        this.dirty = true;
        this.lost = !isAppError(error) || error.reason !== "STORE_UNAVAILABLE";
        if (!this.lost) await delay(pauseMs);
        pauseMs = Math.min(pauseMs * 2, 5000);
      }
    }
  }
}
