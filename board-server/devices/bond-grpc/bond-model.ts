import { Backoff } from "@/lib/common/backoff";
import type { ArtifactIo } from "@/lib/common/contract";
import { type AppError, fail, toAppError } from "@/lib/common/errors";
import type { Tensor } from "@/lib/common/tensor";
import { logger } from "@/lib/server/logger";
import { nowNs } from "../clock";
import type { DeviceAnswer, LoadedModel } from "../device";
import type { BondBoard } from "./bond-board";
import type { FirmwareFacts } from "./firmware-facts";
import { questionsOf, rowsOf, scoreSpec, tensorsOf } from "./tensors";

/** A board that is not asked anything is asked whether it is there so often. */
const watchEveryMs = 5000;
const comeBack = { firstMs: 250, mostMs: 10_000 } as const;

/** Reasons that say that a board is away, and nothing of what it was asked. */
const lost: ReadonlySet<string> = new Set(["LINK_FAILED", "DEADLINE_EXCEEDED"]);

/** A firmware on a board that speaks the original's contract, loaded again whenever the board comes back. */
export class BondModel implements LoadedModel {
  /** Such a board mixes up calls that come together. */
  readonly parallel = 1;

  private readonly board: BondBoard;
  private readonly io: ArtifactIo;
  private readonly facts: FirmwareFacts;
  private readonly outputs: number;
  private listener: ((problem: AppError | null) => void) | null = null;
  private timer: NodeJS.Timeout | null = null;
  private askedAtMs = 0;
  private problem: AppError | null = null;
  private readonly closed = new AbortController();
  private recovery: Promise<void> = Promise.resolve();

  constructor(board: BondBoard, io: ArtifactIo, facts: FirmwareFacts) {
    this.board = board;
    this.io = io;
    this.facts = facts;
    this.outputs = scoreSpec(io).size;
  }

  /** @throws {AppError} As `BondBoard.load`. */
  async load(): Promise<void> {
    await this.board.load(this.facts);
  }

  async infer(inputs: readonly Tensor[]): Promise<DeviceAnswer> {
    if (this.problem) throw this.problem;
    const began = nowNs();
    const questions = questionsOf(rowsOf(this.io, inputs), this.facts.form, this.outputs);
    let computeNs = 0;
    const answers = [];
    for (const { text, read } of questions) {
      const asked = nowNs();
      const answer = await this.ask(text);
      computeNs += nowNs() - asked;
      answers.push(read(answer));
    }
    const outputs = tensorsOf(this.io, answers);
    return { outputs, timing: { hostNs: Math.max(0, nowNs() - began - computeNs), computeNs } };
  }

  /** Nothing is known of right answers: that a row of zeros is answered, in the shape that the metadata says, is all. */
  async selfTest(): Promise<void> {
    const row = Array.from({ length: this.io.inputs[0]?.size ?? 0 }, () => 0);
    try {
      for (const { text, read } of questionsOf([row], this.facts.form, this.outputs))
        read(await this.board.predict(text));
    } catch (error) {
      const { reason, message, hint } = toAppError(error);
      if (reason !== "DEVICE_FAILED") throw error;
      throw fail("SELF_TEST_FAILED", message, { cause: error, ...(hint ? { hint } : {}) });
    }
  }

  watch(listener: (problem: AppError | null) => void): void {
    this.listener = listener;
    this.timer = setInterval(() => void this.look(), watchEveryMs);
  }

  async close(): Promise<void> {
    this.closed.abort();
    if (this.timer) clearInterval(this.timer);
    this.board.close();
    await this.recovery;
  }

  private async ask(text: string): Promise<string> {
    this.askedAtMs = performance.now();
    try {
      return await this.board.predict(text);
    } catch (error) {
      const failure = toAppError(error);
      if (lost.has(failure.reason)) this.lose(failure);
      // A board that was started again refuses whatever it is asked.
      else if (failure.reason === "DEVICE_FAILED") void this.look();
      throw failure;
    }
  }

  private async look(): Promise<void> {
    if (this.problem || performance.now() - this.askedAtMs < watchEveryMs / 2) return;
    try {
      if (await this.board.isLoaded()) return;
      this.lose(fail("DEVICE_FAILED", `${this.board.address} has forgotten its firmware.`));
    } catch (error) {
      this.lose(toAppError(error));
    }
  }

  private lose(problem: AppError): void {
    if (this.problem || this.closed.signal.aborted) return;
    this.problem = problem;
    logger().warn({ err: problem, board: this.board.address }, "a board is lost");
    this.listener?.(problem);
    this.recovery = this.recover();
  }

  /** Tries until the board has the firmware again and answers with it. */
  private async recover(): Promise<void> {
    const { signal } = this.closed;
    const backoff = new Backoff(comeBack);
    while (!signal.aborted) {
      await backoff.wait(signal);
      if (signal.aborted) return;
      try {
        await this.load();
        await this.selfTest();
        if (signal.aborted) return;
        this.problem = null;
        this.listener?.(null);
        logger().info({ board: this.board.address }, "a board is back");
        return;
      } catch (error) {
        if (signal.aborted) return;
        const problem = toAppError(error);
        if (problem.reason === this.problem?.reason) continue;
        this.problem = problem;
        this.listener?.(problem);
      }
    }
  }
}
