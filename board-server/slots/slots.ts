import { Backoff } from "@/lib/common/backoff";
import { fail, isAppError } from "@/lib/common/errors";
import type { Command, LoadCommand, SlotReport } from "@/lib/server/board-protocol";
import { logger } from "@/lib/server/logger";
import type { Journal } from "../control";
import { type Loader, loadModel } from "./loader";
import { Slot } from "./slot";

/** Emptied slots that are still reported; the portal forgets removed ones long before. */
const rememberedEmpty = 200;
/** While the portal is away a load waits for it this long before it fails. */
const retry = { firstMs: 400, mostMs: 5000, tries: 12 } as const;

export interface Slots {
  /** Takes commands; each is carried out once, in the background. */
  accept(commands: readonly Command[]): Promise<void>;
  reports(): SlotReport[];
  find(slotId: string): Slot | undefined;
  close(): Promise<void>;
}

/** The slots of this server, as the journal left them: what was there is loaded and tested again before it serves. */
export async function openSlots(
  journal: Journal,
  loader: Loader,
  onChange: () => void,
): Promise<Slots> {
  const slots = new Map<string, Slot>();
  const work = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>();

  const save = async (): Promise<void> => {
    const all = [...slots.values()];
    const surplus = all.filter(({ report }) => report.state === "empty").slice(0, -rememberedEmpty);
    for (const { id } of surplus) slots.delete(id);
    await journal.update({
      slots: [...slots.values()].map(({ report, command }) => ({ report, command })),
    });
    onChange();
  };

  /** Replaces what a slot does; the work before is stopped and waited for. */
  const begin = (slot: Slot, run: (signal: AbortSignal) => Promise<void>): void => {
    const before = work.get(slot.id);
    before?.abort.abort();
    const abort = new AbortController();
    const done = (async () => {
      await before?.done;
      if (abort.signal.aborted) return;
      await run(abort.signal);
    })().catch((err: unknown) => logger().error({ err, slotId: slot.id }, "slot work failed"));
    work.set(slot.id, { abort, done });
  };

  const load = (slot: Slot, command: LoadCommand): void =>
    begin(slot, async (signal) => {
      const log = logger().child({
        job: "load",
        slotId: slot.id,
        commandId: command.id,
        artifact: command.artifactDigest,
      });
      const start = performance.now();
      try {
        await slot.empty();
        const onTesting = async (): Promise<void> => {
          if (signal.aborted) return;
          slot.set("testing");
          await save();
        };
        const model = await withPatience(signal, () =>
          loadModel(command, loader, { signal, onTesting }),
        );
        if (signal.aborted) {
          await model.close();
          return;
        }
        slot.serve(model, () => void save());
        log.info({ durationMs: Math.round(performance.now() - start) }, "loaded");
      } catch (err) {
        if (signal.aborted) return;
        slot.set("empty", err);
        log.warn({ err, durationMs: Math.round(performance.now() - start) }, "load failed");
      }
      await save();
    });

  const unload = (slot: Slot): void =>
    begin(slot, async () => {
      await slot.empty();
      slot.command = null;
      slot.set("empty");
      await save();
    });

  const accept = async (commands: readonly Command[]): Promise<void> => {
    const started: (() => void)[] = [];
    for (const command of commands) {
      const known = slots.get(command.slotId);
      if (known?.report.commandId === command.id) continue;
      if (known && command.slotEpoch < known.report.slotEpoch) {
        logger().warn(
          { slotId: command.slotId, commandId: command.id },
          "command of an older epoch",
        );
        continue;
      }
      const slot = known ?? new Slot(emptyReport(command), null);
      slots.set(slot.id, slot);
      slot.report = { ...slot.report, slotEpoch: command.slotEpoch, commandId: command.id };
      if (command.kind === "load") {
        slot.command = command;
        slot.set("loading");
        started.push(() => load(slot, command));
      } else started.push(() => unload(slot));
    }
    if (started.length === 0) return;
    await save();
    for (const start of started) start();
  };

  for (const { report, command } of journal.current.slots) {
    const slot = new Slot(report, command);
    slots.set(slot.id, slot);
    if (!command || report.state === "empty") continue;
    slot.set("loading");
    load(slot, command);
  }

  return {
    accept,
    reports: () => [...slots.values()].map(({ report }) => report),
    find: (slotId) => slots.get(slotId),
    async close() {
      for (const { abort } of work.values()) abort.abort();
      await Promise.all([...work.values()].map(({ done }) => done));
      await Promise.all([...slots.values()].map((slot) => slot.empty()));
    },
  };
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

function emptyReport({ slotId, slotEpoch, id }: Command): SlotReport {
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
