import type { SlotState, Timing } from "@/lib/common/contract";
import { type AppError, fail, isAppError } from "@/lib/common/errors";
import type { Tensor } from "@/lib/common/tensor";
import type { LineReport, LoadCommand, SlotReport } from "@/lib/server/board-protocol";
import { fault } from "@/lib/server/process";
import {
  type BoardLine,
  type LoadedModel,
  type QueueOptions,
  SlotQueue,
  slotTiming,
} from "../devices";
import { LineTap } from "./line-tap";

/** An inference for the revision that the caller believes is in the slot. */
export interface InferCall extends QueueOptions {
  readonly revisionId: string;
  readonly slotEpoch: number;
  readonly inputs: readonly Tensor[];
}

/** What a slot answered, with the revision that it really holds. */
export interface InferAnswer {
  /** The revision that answered. */
  readonly revisionId: string;
  readonly outputs: readonly Tensor[];
  /** Elements of each row's inputs that were outside of the range that the firmware was built for; null: none. */
  readonly clipped: readonly number[] | null;
  readonly timing: Timing;
  readonly memoryBytes?: number | undefined;
  /** Where the model itself takes further calls. */
  readonly direct?: string | undefined;
}

interface Loaded {
  readonly model: LoadedModel;
  readonly test: () => Promise<number>;
  readonly queue: SlotQueue;
  readonly revisionId: string;
  /** At which it was loaded: a newer command may have come since. */
  readonly slotEpoch: number;
  /** Called when something passed on the line. */
  readonly onLine: () => void;
  /** Null until somebody looks at the line. */
  tap: LineTap | null;
}

/** A place on a board: what it was told last, what it holds, and who waits for it. */
export class Slot {
  readonly id: string;
  report: SlotReport;
  /** The load that fills it, kept so that a restart can repeat it. */
  command: LoadCommand | null;
  private loaded: Loaded | null = null;

  constructor(report: SlotReport, command: LoadCommand | null) {
    this.id = report.slotId;
    this.report = report;
    this.command = command;
  }

  /** Notes what became of the current command. */
  set(state: SlotState, problem: unknown = null): void {
    const holds = state === "serving" || state === "testing" || state === "loading";
    this.report = {
      ...this.report,
      state,
      revisionId: holds ? (this.command?.revisionId ?? null) : null,
      artifactDigest: holds ? (this.command?.artifactDigest ?? null) : null,
      problem: problem === null ? null : problemOf(problem),
    };
  }

  /**
   * Answers from a loaded model, which the command's revision is.
   *
   * @param test Runs the test of the load again; answers how many rows it compared.
   * @param onChange Called when the model's board was lost or came back.
   * @param onLine Called when something passed on its line that somebody looks at.
   */
  serve(
    model: LoadedModel,
    {
      test = async () => 0,
      onChange = () => {},
      onLine = () => {},
    }: {
      readonly test?: () => Promise<number>;
      readonly onChange?: () => void;
      readonly onLine?: () => void;
    } = {},
  ): void {
    this.set("serving");
    model.watch?.((problem) => {
      if (this.loaded?.model !== model) return;
      this.set(problem ? "unreachable" : "serving", problem);
      onChange();
    });
    const revisionId = this.command?.revisionId ?? "";
    const queue = new SlotQueue(model.parallel);
    const { slotEpoch } = this.report;
    this.loaded = { model, test, queue, revisionId, slotEpoch, onLine, tap: null };
  }

  /** Refuses new requests, lets the running ones end, and frees the device. */
  async empty(): Promise<void> {
    const { loaded } = this;
    this.loaded = null;
    if (!loaded) return;
    loaded.tap?.close();
    await loaded.queue.close(notHere(this.id));
    await loaded.model.close();
  }

  /**
   * Runs the test of the load again, in its turn among requests.
   *
   * @returns How many rows were compared.
   * @throws {AppError} `REVISION_MISMATCH` when nothing serves here, `SLOT_EPOCH_STALE`, `SELF_TEST_FAILED`.
   */
  async test(slotEpoch: number, options: QueueOptions): Promise<number> {
    const { queue, test } = this.requireLoaded(slotEpoch);
    return queue.run(() => test(), options);
  }

  /**
   * Has the board show which it is; requests go on meanwhile.
   *
   * @throws {AppError} `BOARD_CANNOT`; as `test`.
   */
  async blink(slotEpoch: number): Promise<void> {
    const { model } = this.requireLoaded(slotEpoch);
    if (!model.blink)
      throw fail("BOARD_CANNOT", "What reaches this board can tell none of its lights to blink.", {
        hint: "Tell the boards apart by their addresses or serial numbers.",
      });
    await model.blink();
  }

  /**
   * Puts bytes on the board's line, in their turn among requests; from the first time on everything that passes there is told to
   * the portal. No bytes: the line is only looked at.
   *
   * @throws {AppError} `BOARD_CANNOT` where there is no such line; as `test`; `LINK_FAILED`.
   */
  async speak(slotEpoch: number, bytes: Uint8Array, options: QueueOptions): Promise<void> {
    const loaded = this.requireLoaded(slotEpoch);
    const { line } = loaded.model;
    if (!line)
      throw fail("BOARD_CANNOT", "What is loaded is not spoken to over a serial line.", {
        hint: "Send it rows instead.",
      });
    const tap = this.tapOf(loaded, line);
    if (bytes.length === 0) return;
    await loaded.queue.run(async () => {
      // What was asked of another load never reaches this one's line.
      if (this.loaded !== loaded) throw notHere(this.id);
      tap.note(true, bytes);
      await line.send(bytes);
    }, options);
  }

  private tapOf(loaded: Loaded, line: BoardLine): LineTap {
    if (loaded.tap) return loaded.tap;
    const tap = new LineTap(loaded.onLine);
    loaded.tap = tap;
    line.listen((bytes) => {
      if (this.loaded === loaded) tap.note(false, bytes);
    });
    return tap;
  }

  /** What passed on the line and was not heard; null: nothing. */
  lineReport(): LineReport | null {
    const { loaded } = this;
    const told = loaded?.tap?.report();
    return loaded && told ? { slotId: this.id, slotEpoch: loaded.slotEpoch, ...told } : null;
  }

  /** The portal has heard this. */
  forgetLine(heard: LineReport): void {
    this.loaded?.tap?.forget(heard);
  }

  /**
   * Asks what is loaded, whatever it is.
   *
   * @throws {AppError} As `test`; `INFER_INVALID`, `LINK_FAILED`, `QUEUE_FULL`, `QUEUE_TIMEOUT`
   */
  async ask(
    slotEpoch: number,
    inputs: readonly Tensor[],
    options: QueueOptions,
  ): Promise<InferAnswer> {
    const { revisionId } = this.requireLoaded(slotEpoch);
    return await this.infer({ revisionId, slotEpoch, inputs, ...options });
  }

  private requireLoaded(slotEpoch: number): Loaded {
    const { loaded, report } = this;
    if (!loaded || report.state !== "serving") throw notHere(this.id);
    if (report.slotEpoch !== slotEpoch || loaded.slotEpoch !== slotEpoch)
      throw fail("SLOT_EPOCH_STALE", `Slot ${this.id} is at epoch ${report.slotEpoch}.`);
    return loaded;
  }

  /**
   * Answers one request from the revision that it names (R8).
   *
   * @throws {AppError} `REVISION_MISMATCH` or `SLOT_EPOCH_STALE` when the slot holds something else.
   */
  async infer({ revisionId, slotEpoch, inputs, waitMs, signal }: InferCall): Promise<InferAnswer> {
    const { loaded, report } = this;
    if (loaded?.revisionId !== revisionId || report.state !== "serving") throw notHere(this.id);
    if (report.slotEpoch !== slotEpoch) {
      throw fail("SLOT_EPOCH_STALE", `Slot ${this.id} is at epoch ${report.slotEpoch}.`);
    }
    return loaded.queue.run(
      async (queuedNs) => {
        fault("board-server.in-infer");
        const { outputs, clipped = null, timing } = await loaded.model.infer(inputs);
        return {
          revisionId: loaded.revisionId,
          outputs,
          clipped,
          memoryBytes: loaded.model.memoryBytes?.(),
          direct: loaded.model.direct?.(),
          timing: slotTiming(queuedNs, timing),
        };
      },
      { waitMs, signal },
    );
  }
}

function notHere(id: string): AppError {
  return fail("REVISION_MISMATCH", `Slot ${id} does not hold that revision.`);
}

function problemOf(error: unknown): { reason: string; message: string } {
  if (isAppError(error)) return { reason: error.reason, message: error.message };
  return { reason: "INTERNAL", message: "Loading failed on the board server." };
}
