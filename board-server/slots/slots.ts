import { Backoff } from "@/lib/common/backoff";
import { fail, isAppError } from "@/lib/common/errors";
import type {
  CallCommand,
  CallReport,
  LineReport,
  LoadCommand,
  SlotReport,
  TaskCommand,
  TaskReport,
  UnloadCommand,
} from "@/lib/server/board-protocol";
import { logger } from "@/lib/server/logger";
import type { Journal } from "../control";
import { type Loader, loadModel } from "./loader";
import { Slot } from "./slot";
import { SlotCalls } from "./slot-calls";
import { SlotTasks } from "./slot-tasks";
import { SlotWork } from "./slot-work";

/** Emptied slots that are still reported; the portal forgets removed ones long before. */
const rememberedEmpty = 200;
/** Lines that one poll tells of. */
const mostLines = 64;
/** While the portal is away a load waits for it this long before it fails. */
const retry = { firstMs: 400, mostMs: 5000, tries: 12 } as const;

/** What changes what a slot holds. */
type SlotCommand = LoadCommand | UnloadCommand;

/** Every slot of this board server. */
export interface Slots {
  /** Takes commands; each is carried out once, in the background. */
  accept(commands: readonly (SlotCommand | TaskCommand | CallCommand)[]): Promise<void>;
  reports(): SlotReport[];
  /** Tasks that are under way, and those whose end nobody has heard. */
  taskReports(): TaskReport[];
  /** The portal has heard these. */
  forgetTasks(heard: readonly TaskReport[]): void;
  /** Calls that are under way, and those whose end nobody has heard. */
  callReports(): CallReport[];
  forgetCalls(heard: readonly CallReport[]): void;
  /** What passed on lines that somebody looks at, and nobody has heard. */
  lineReports(): LineReport[];
  forgetLines(heard: readonly LineReport[]): void;
  find(slotId: string): Slot | undefined;
  close(): Promise<void>;
}

/** The slots of this server, as the journal left them: what was there is loaded and tested again before it serves. */
export async function openSlots(
  journal: Journal,
  loader: Loader,
  onChange: () => void,
): Promise<Slots> {
  const slots = new JournaledSlots(journal, loader, onChange);
  slots.restore();
  return slots;
}

/** Slots whose every change is in the journal before the portal hears of it. */
class JournaledSlots implements Slots {
  private readonly slots = new Map<string, Slot>();
  private readonly work = new SlotWork();
  private readonly journal: Journal;
  private readonly loader: Loader;
  private readonly onChange: () => void;
  private readonly tasks: SlotTasks;
  private readonly calls: SlotCalls;

  constructor(journal: Journal, loader: Loader, onChange: () => void) {
    this.journal = journal;
    this.loader = loader;
    this.onChange = onChange;
    this.tasks = new SlotTasks((slotId) => this.slots.get(slotId), onChange);
    this.calls = new SlotCalls((slotId) => this.slots.get(slotId), onChange);
  }

  restore(): void {
    for (const { report, command } of this.journal.current.slots) {
      const slot = new Slot(report, command);
      this.slots.set(slot.id, slot);
      if (!command || report.state === "empty") continue;
      slot.set("loading");
      this.load(slot, command);
    }
  }

  async accept(commands: readonly (SlotCommand | TaskCommand | CallCommand)[]): Promise<void> {
    const started = commands.flatMap((command) => {
      if (command.kind === "load" || command.kind === "unload") return this.take(command) ?? [];
      if (command.kind === "line" || command.kind === "infer") this.calls.begin(command);
      else this.tasks.begin(command);
      return [];
    });
    if (started.length === 0) return;
    await this.save();
    for (const start of started) start();
  }

  reports(): SlotReport[] {
    return [...this.slots.values()].map(({ report }) => report);
  }

  taskReports(): TaskReport[] {
    return this.tasks.reports();
  }

  forgetTasks(heard: readonly TaskReport[]): void {
    this.tasks.forget(heard);
  }

  callReports(): CallReport[] {
    return this.calls.reports();
  }

  forgetCalls(heard: readonly CallReport[]): void {
    this.calls.forget(heard);
  }

  lineReports(): LineReport[] {
    return [...this.slots.values()].flatMap((slot) => slot.lineReport() ?? []).slice(0, mostLines);
  }

  forgetLines(heard: readonly LineReport[]): void {
    for (const report of heard) this.slots.get(report.slotId)?.forgetLine(report);
  }

  find(slotId: string): Slot | undefined {
    return this.slots.get(slotId);
  }

  async close(): Promise<void> {
    this.tasks.close();
    this.calls.close();
    await this.work.close();
    await Promise.all([...this.slots.values()].map((slot) => slot.empty()));
  }

  /** Notes a command in its slot. Answers what begins it; null when it is known or older than what is known. */
  private take(command: SlotCommand): (() => void) | null {
    const known = this.slots.get(command.slotId);
    if (known?.report.commandId === command.id) return null;
    if (known && command.slotEpoch < known.report.slotEpoch) {
      logger().warn({ slotId: command.slotId, commandId: command.id }, "command of an older epoch");
      return null;
    }
    const slot = known ?? new Slot(emptyReport(command), null);
    this.slots.set(slot.id, slot);
    slot.report = { ...slot.report, slotEpoch: command.slotEpoch, commandId: command.id };
    if (command.kind !== "load") return () => this.unload(slot);
    slot.command = command;
    slot.set("loading");
    return () => this.load(slot, command);
  }

  private load(slot: Slot, command: LoadCommand): void {
    this.work.begin(slot.id, async (signal) => {
      const log = logger().child({
        job: "load",
        slotId: slot.id,
        commandId: command.id,
        artifact: command.artifactDigest,
      });
      const start = performance.now();
      try {
        if (!(await this.fill(slot, command, signal))) return;
        log.info({ durationMs: Math.round(performance.now() - start) }, "loaded");
      } catch (err) {
        if (signal.aborted) return;
        slot.set("empty", err);
        log.warn({ err, durationMs: Math.round(performance.now() - start) }, "load failed");
      }
      await this.save();
    });
  }

  /** Puts a model in the place of what the slot held; false when something newer came meanwhile. */
  private async fill(slot: Slot, command: LoadCommand, signal: AbortSignal): Promise<boolean> {
    await slot.empty();
    const onTesting = async (): Promise<void> => {
      if (signal.aborted) return;
      slot.set("testing");
      await this.save();
    };
    const { model, test } = await withPatience(signal, () =>
      loadModel(command, this.loader, { signal, onTesting }),
    );
    if (signal.aborted) {
      await model.close();
      return false;
    }
    slot.serve(model, {
      test,
      onChange: () => void this.save(),
      onLine: () => this.onChange(),
    });
    return true;
  }

  private unload(slot: Slot): void {
    this.work.begin(slot.id, async () => {
      await slot.empty();
      slot.command = null;
      slot.set("empty");
      await this.save();
    });
  }

  private async save(): Promise<void> {
    const all = [...this.slots.values()];
    const surplus = all.filter(({ report }) => report.state === "empty").slice(0, -rememberedEmpty);
    for (const { id } of surplus) this.slots.delete(id);
    await this.journal.update({
      slots: [...this.slots.values()].map(({ report, command }) => ({ report, command })),
    });
    this.onChange();
  }
}

/** Tries again while what is missing may come back: the portal is away or starting. */
async function withPatience<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  const backoff = new Backoff(retry);
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      const passing = isAppError(error) && error.code === "unavailable";
      if (!passing || tries === retry.tries || signal.aborted) throw error;
      await backoff.wait(signal);
      if (signal.aborted) throw fail("CANCELLED", "The load was replaced by a newer command.");
    }
  }
}

function emptyReport({ slotId, slotEpoch, id }: SlotCommand): SlotReport {
  return {
    slotId,
    slotEpoch,
    state: "empty",
    revisionId: null,
    artifactDigest: null,
    commandId: id,
    problem: null,
  };
}
