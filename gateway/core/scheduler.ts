import { type AppError, fail, isAppError } from "@/lib/common/errors";
import type { Tensor } from "@/lib/common/tensor";
import { Life } from "../intake";
import type { ModelStatistics } from "../metrics";
import { askReplica, type ReplicaAnswer } from "./ask-replica";
import type { BoardLink } from "./board-link";
import type { Inference } from "./inference";
import type { Call, Job } from "./job";
import { neverBegan, notReady, unreachable } from "./model-errors";
import { type Policy, policyOf } from "./policy";
import { isReachable, pickReplica, type Replica } from "./replicas";
import type { ServedRevision } from "./route-table";
import { shareAnswer, shareClipped, shareTiming } from "./share-answer";
import { WaitingRequests } from "./waiting-requests";

/** No request lives longer in this gateway. */
export const longestMs = 60_000;

/** A request that was found right, with what it says of its own waiting. */
export interface Submission {
  readonly id: string;
  readonly inputs: readonly Tensor[];
  /** 0: none given. */
  readonly priority: number;
  /** How long it may wait; 0: nothing said. */
  readonly timeoutMs: number;
  readonly life: Life;
}

/** Whose requests are scheduled, and what carries and counts them. */
export interface SchedulerOptions {
  readonly model: string;
  readonly link: BoardLink;
  readonly statistics: ModelStatistics;
}

/**
 * The requests of one revision: they wait until a replica has room, those that are alike share a call, and each gets its
 * own rows of the answer.
 *
 * @see Triton's dynamic batcher, whose rules these are.
 */
export class Scheduler {
  private readonly options: SchedulerOptions;
  private revision: ServedRevision;
  private readonly policy: Policy;
  private readonly waiting: WaitingRequests;
  private pumping = false;
  /** Calls that boards have not answered yet. */
  private underWay = 0;
  /** Whether the last call left nobody to share it or to wait behind it. */
  private comeAlone = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(revision: ServedRevision, options: SchedulerOptions) {
    this.options = options;
    this.revision = revision;
    this.policy = policyOf(revision);
    this.waiting = new WaitingRequests(this.policy.levels);
    options.statistics.pending = () => this.waiting.size;
  }

  /** Takes over a new snapshot: settings never change, replicas do. */
  renew(revision: ServedRevision): void {
    this.revision = revision;
    if (this.waiting.size > 0) this.pumpSoon();
  }

  /** The revision is gone: who still waits is told. */
  close(): void {
    clearTimeout(this.timer);
    this.refuseAll(notReady(this.options.model, "it was taken away"));
  }

  /**
   * @throws {AppError} `QUEUE_FULL`, `QUEUE_TIMEOUT`, `MODEL_NOT_READY`, what the signal carries, or what became of the
   *   call.
   */
  submit(submission: Submission): Promise<Inference> {
    const { policy, waiting, options } = this;
    if (submission.life.ended) return Promise.reject(submission.life.cause);
    if (!this.reachable()) {
      return Promise.reject(unreachable(options.model));
    }
    if (waiting.size >= policy.maxQueued) {
      options.statistics.rejected("queue_full");
      return Promise.reject(
        fail("QUEUE_FULL", `Exceeds maximum queue size of model '${options.model}'`),
      );
    }
    return new Promise<Inference>((resolve, reject) => {
      this.enqueue(submission, { resolve, reject });
    });
  }

  private enqueue(
    { id, inputs, priority, timeoutMs, life }: Submission,
    caller: Pick<Job, "resolve" | "reject">,
  ): void {
    const { policy } = this;
    const batched = policy.maxRows > 1;
    let timer: NodeJS.Timeout | undefined;
    const settled = (): void => {
      clearTimeout(timer);
      life.onEnd(null);
    };
    const job: Job = {
      id,
      inputs,
      rows: batched ? (inputs[0]?.shape[0] ?? 1) : 1,
      key: batched ? keyOf(inputs) : "",
      level: priority > 0 && priority <= policy.levels ? priority : policy.defaultLevel,
      cameMs: performance.now(),
      life,
      resolve: (answer) => {
        settled();
        caller.resolve(answer);
      },
      reject: (error) => {
        settled();
        caller.reject(error);
      },
      call: null,
      list: null,
      before: null,
      after: null,
    };
    life.onEnd(() => this.abandon(job));
    const limits = [policy.timeoutMs, timeoutMs].filter((limit) => limit > 0);
    if (limits.length > 0) timer = setTimeout(() => this.expire(job), Math.min(...limits));
    this.waiting.add(job);
    // Who asks one request after the other need not wait for the others that never come.
    const isAlone = this.comeAlone && this.underWay === 0 && this.waiting.size === 1;
    if (batched && !isAlone) this.pumpSoon();
    else this.pump();
  }

  private abandon(job: Job): void {
    const { call } = job;
    if (call) {
      call.wanted--;
      if (call.wanted === 0) call.life.end(job.life.cause);
    } else if (!this.waiting.remove(job)) return;
    this.options.statistics.failed("CANCELED", job);
    job.reject(job.life.cause);
  }

  private expire(job: Job): void {
    if (job.call) return;
    if (this.policy.onTimeout === "delay") {
      this.waiting.delay(job);
      return;
    }
    if (!this.waiting.remove(job)) return;
    this.options.statistics.rejected("timeout");
    this.options.statistics.failed("REJECTED", job);
    job.reject(fail("QUEUE_TIMEOUT", "Request timeout expired"));
  }

  /** After all that came in this turn of the event loop: what came together goes together. */
  private pumpSoon(): void {
    if (this.pumping) return;
    this.pumping = true;
    setImmediate(() => {
      this.pumping = false;
      this.pump();
    });
  }

  private pump(): void {
    while (this.waiting.size > 0) {
      const now = performance.now();
      const replica = pickReplica(this.revision.replicas, now, { below: this.policy.instances });
      if (!replica) {
        if (!this.reachable()) {
          this.refuseAll(unreachable(this.options.model));
        }
        return;
      }
      const batch = this.waiting.nextBatch(this.policy, now);
      if (batch.length === 0) {
        this.pumpAt(this.waiting.oldestMs + this.policy.maxWaitMs - now);
        return;
      }
      for (const job of batch) this.waiting.remove(job);
      this.start(batch, replica, now);
    }
  }

  private pumpAt(inMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.pump(), Math.max(0, Math.ceil(inMs)));
  }

  private reachable(): boolean {
    return isReachable(this.revision.replicas, performance.now());
  }

  private refuseAll(error: AppError): void {
    for (let job = this.waiting.first; job; job = this.waiting.first) {
      this.waiting.remove(job);
      job.reject(error);
    }
  }

  /** Counts a request that no board took, here or elsewhere. @param cameMs Of the monotonic clock. */
  countFailed(cameMs: number): void {
    this.options.statistics.failed("OTHER", { cameMs });
  }

  private start(jobs: readonly Job[], replica: Replica, startedMs: number): void {
    const call: Call = { jobs, wanted: jobs.length, life: new Life() };
    for (const job of jobs) job.call = call;
    this.underWay++;
    this.comeAlone = jobs.length === 1 && this.waiting.size === 0 && this.underWay === 1;
    void this.ask(call, replica, startedMs).finally(() => {
      this.underWay--;
      if (this.waiting.size > 0) this.pump();
    });
  }

  private async ask(call: Call, replica: Replica, startedMs: number): Promise<void> {
    const { jobs, life } = call;
    try {
      const answer = await askReplica(
        replica,
        this.revision.replicas,
        {
          revisionId: this.revision.id,
          id: jobs.length === 1 ? (jobs[0]?.id ?? "") : "",
          requests: jobs.map(({ inputs }) => inputs),
          waitMs: longestMs,
          life,
        },
        this.options.link,
      );
      this.deliver(jobs, answer, startedMs);
    } catch (error) {
      if (jobs.length > 1 && mayBeOneOf(error)) return await this.askSingly(call, replica);
      for (const job of jobs) {
        if (job.life.ended) continue;
        if (!neverBegan(error)) this.options.statistics.failed("BACKEND", job);
        job.reject(error);
      }
    }
  }

  /** A call that several share failed on its contents: one by one, only the guilty one fails. */
  private async askSingly({ jobs }: Call, replica: Replica): Promise<void> {
    for (const job of jobs) {
      if (job.life.ended) continue;
      const single: Call = { jobs: [job], wanted: 1, life: new Life() };
      job.call = single;
      await this.ask(single, replica, performance.now());
    }
  }

  private deliver(
    jobs: readonly Job[],
    { answer, slotId }: ReplicaAnswer,
    startedMs: number,
  ): void {
    const { outputs, timing, clipped, memory, totalNs } = answer;
    const answeredMs = performance.now();
    const rows = jobs.map((job) => job.rows);
    const shares = jobs.length === 1 ? [outputs] : shareAnswer(outputs, rows);
    const total = rows.reduce((sum, each) => sum + each, 0);
    const { boardQueueNs = 0, hostNs = 0, computeNs = 0 } = timing;
    const linkNs = Math.max(0, Math.round(totalNs - boardQueueNs - hostNs - computeNs));
    const { statistics } = this.options;
    statistics.executed(total, {
      inputNs: Math.max(0, (answeredMs - startedMs) * 1e6 - totalNs) + linkNs + boardQueueNs,
      inferNs: hostNs + computeNs,
      outputNs: (performance.now() - answeredMs) * 1e6,
    });
    if (memory) statistics.memoryBytes.set(memory.slotId, memory.bytes);
    const clippedShares = clipped && shareClipped(clipped, rows);
    jobs.forEach((job, index) => {
      const clippedInputs = clippedShares?.[index] ?? 0;
      statistics.clippedInputCount += clippedInputs;
      if (job.life.ended) return;
      const gatewayQueueNs = Math.round((startedMs - job.cameMs) * 1e6);
      statistics.succeeded(job, gatewayQueueNs);
      const own = shareTiming(timing, job.rows / total);
      own.gatewayQueueNs = gatewayQueueNs;
      own.linkNs = linkNs;
      if (clippedInputs > 0) own.clippedInputs = clippedInputs;
      job.resolve({ outputs: shares[index] ?? [], timing: own, slotId });
    });
  }
}

/** Whether one request among several can be the cause: the board answered, and did not like what it got. */
function mayBeOneOf(error: unknown): boolean {
  return isAppError(error) && (error.reason === "INTERNAL" || error.reason === "INFER_INVALID");
}

/** Shapes without dimension 0: the datatypes are the model's. */
function keyOf(inputs: readonly Tensor[]): string {
  let key = "";
  for (const { shape } of inputs) {
    for (let axis = 1; axis < shape.length; axis++) key += `${shape[axis]},`;
    key += ";";
  }
  return key;
}
