import { Histogram, secondsBounds, sizeBounds } from "./histogram";
import { Recent } from "./recent";

/** How often, and how long altogether. */
export interface Duration {
  count: number;
  ns: number;
}

export interface BatchStatistics {
  readonly input: Duration;
  readonly infer: Duration;
  readonly output: Duration;
}

/** What is counted of a request. */
interface Counted {
  readonly rows: number;
  /** When it came, of the monotonic clock. */
  readonly cameMs: number;
}

/** Why a request failed after it was accepted; the words of Triton's metric. */
export const failureReasons = ["REJECTED", "CANCELED", "BACKEND", "OTHER"] as const;
export type FailureReason = (typeof failureReasons)[number];
/** Why a request was refused. */
export type RejectionReason =
  | "queue_full"
  | "timeout"
  | "cancelled"
  | "validation"
  | "auth"
  | "rate_limit";

const duration = (): Duration => ({ count: 0, ns: 0 });

function add(to: Duration, ns: number, count = 1): void {
  to.count += count;
  to.ns += ns;
}

/** Of one call: bringing its inputs, the device's part, and giving each request its own rows. */
export interface CallTimes {
  readonly inputNs: number;
  readonly inferNs: number;
  readonly outputNs: number;
}

/** What one version of a model has done since this gateway knows it. */
export class ModelStatistics {
  readonly model: string;
  readonly version: string;
  /** Epoch milliseconds of the last request; 0: none. */
  lastInferenceMs = 0;
  /** Rows: a request of batch n adds n. */
  inferenceCount = 0;
  /** Calls to boards: those that several requests share count once. */
  executionCount = 0;
  /** Elements of inputs that were outside of the range that the firmware was built for. */
  clippedInputCount = 0;
  readonly success = duration();
  readonly fail = duration();
  readonly queue = duration();
  readonly input = duration();
  readonly infer = duration();
  readonly output = duration();
  readonly batches = new Map<number, BatchStatistics>();
  readonly failures = new Map<FailureReason, number>();
  readonly rejections = new Map<RejectionReason, number>();
  /** From coming to answered, of those that succeeded. */
  readonly requestSeconds = new Histogram(secondsBounds);
  readonly queueSeconds = new Histogram(secondsBounds);
  readonly executeSeconds = new Histogram(secondsBounds);
  readonly batchRows = new Histogram(sizeBounds);
  readonly recent = new Recent();
  /** Real memory that the model holds, by slot, as last told. */
  readonly memoryBytes = new Map<string, number>();
  /** Requests that wait now. */
  pending: () => number = () => 0;

  private last: CallTimes = { inputNs: 0, inferNs: 0, outputNs: 0 };

  constructor(model: string, version: string) {
    this.model = model;
    this.version = version;
  }

  /** A call came back; `succeeded` follows for each of its requests. */
  executed(rows: number, times: CallTimes): void {
    this.last = times;
    this.executionCount++;
    this.recent.called();
    let batch = this.batches.get(rows);
    if (!batch) {
      batch = { input: duration(), infer: duration(), output: duration() };
      this.batches.set(rows, batch);
    }
    add(batch.input, times.inputNs);
    add(batch.infer, times.inferNs);
    add(batch.output, times.outputNs);
    this.batchRows.add(rows);
    this.executeSeconds.add(times.inferNs / 1e9);
  }

  /** A request of the call that came back last; the whole call's times are charged to each. */
  succeeded({ rows, cameMs }: Counted, queueNs: number): void {
    this.lastInferenceMs = Date.now();
    this.inferenceCount += rows;
    const tookMs = performance.now() - cameMs;
    add(this.success, tookMs * 1e6);
    this.requestSeconds.add(tookMs / 1e3);
    this.recent.succeeded(rows, tookMs / 1e3);
    add(this.queue, queueNs);
    add(this.input, this.last.inputNs);
    add(this.infer, this.last.inferNs);
    add(this.output, this.last.outputNs);
    this.queueSeconds.add(queueNs / 1e9);
  }

  failed(reason: FailureReason, { cameMs }: Pick<Counted, "cameMs">): void {
    this.lastInferenceMs = Date.now();
    add(this.fail, (performance.now() - cameMs) * 1e6);
    this.failures.set(reason, (this.failures.get(reason) ?? 0) + 1);
    this.recent.failed();
  }

  /** Refused before it could run. */
  rejected(reason: RejectionReason): void {
    this.rejections.set(reason, (this.rejections.get(reason) ?? 0) + 1);
  }
}

/** The statistics of every version that is known. They start afresh when a version is loaded anew. */
export class Statistics {
  private readonly byVersion = new Map<string, ModelStatistics>();

  of(model: string, version: string): ModelStatistics {
    const key = `${model} ${version}`;
    let known = this.byVersion.get(key);
    if (!known) {
      known = new ModelStatistics(model, version);
      this.byVersion.set(key, known);
    }
    return known;
  }

  get all(): readonly ModelStatistics[] {
    return [...this.byVersion.values()];
  }

  /** Forgets what is not among these any more, and begins to count for those that are new. */
  keep(versions: readonly { readonly model: string; readonly version: string }[]): void {
    const wanted = new Set(versions.map(({ model, version }) => `${model} ${version}`));
    for (const key of this.byVersion.keys()) if (!wanted.has(key)) this.byVersion.delete(key);
    for (const { model, version } of versions) this.of(model, version);
  }
}
