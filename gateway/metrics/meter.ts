import { setImmediate as nextTurn } from "node:timers/promises";
import { counter, gauge, histogram, label, OwnProcess } from "@/lib/server/metrics";
import { byteBounds, Histogram, secondsBounds } from "./histogram";
import { type Duration, failureReasons, type ModelStatistics, type Statistics } from "./statistics";

/** What is counted of one HTTP request. */
export interface HttpSample {
  readonly route: string;
  /** Null where no model was asked for. */
  readonly model: string | null;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

/** What is counted of one gRPC call. */
export interface GrpcSample {
  readonly rpc: string;
  readonly model: string | null;
  /** Number of the gRPC status. */
  readonly code: number;
  readonly seconds: number;
}

const outcomeOfHttp = (status: number) =>
  status < 400 ? "success" : status < 500 ? "refused" : "failure";
const faults: ReadonlySet<number> = new Set([2, 4, 13, 14, 15]);
const outcomeOfGrpc = (code: number) =>
  code === 0 ? "success" : faults.has(code) ? "failure" : "refused";

/** Characters that are made in one go: some two milliseconds. */
const stepLength = 128 * 1024;

/** Counts what came and went; `text` is the Prometheus exposition of everything. */
export class Meter {
  /** Keys are joined by spaces and become labels when somebody asks: requests are many, scrapes few. */
  private readonly http = new Map<string, number>();
  private readonly grpc = new Map<string, number>();
  private readonly cuts = new Map<string, number>();
  private readonly durations = new Map<string, Histogram>();
  private readonly requestBytes = new Histogram(byteBounds);
  private readonly responseBytes = new Histogram(byteBounds);
  private readonly statistics: Statistics;
  private readonly isKnown: (model: string) => boolean;
  private readonly uncounted: () => number;
  private readonly ownProcess = new OwnProcess();

  /**
   * @param isKnown Unknown model names, which callers make up, share one label.
   * @param uncounted Requests whose counts the database never got.
   */
  constructor(
    statistics: Statistics,
    isKnown: (model: string) => boolean,
    uncounted: () => number = () => 0,
  ) {
    this.statistics = statistics;
    this.isKnown = isKnown;
    this.uncounted = uncounted;
  }

  countHttp({ route, model, method, status, seconds }: HttpSample): void {
    const known = method === "GET" || method === "POST" || method === "HEAD" ? method : "other";
    increase(this.http, `${route} ${known} ${status}`);
    if (route === "infer" || route === "v1Predict") {
      this.time(model, "http", outcomeOfHttp(status), seconds);
    }
  }

  countGrpc({ rpc, model, code, seconds }: GrpcSample): void {
    increase(this.grpc, `${rpc} ${code}`);
    if (rpc === "ModelInfer" || rpc === "ModelStreamInfer") {
      this.time(model, "grpc", outcomeOfGrpc(code), seconds);
    }
  }

  /** Counts a connection, or a stream of one, that this server ended on its client. */
  countCut(protocol: "http" | "grpc", cause: string): void {
    increase(this.cuts, `${protocol} ${cause}`);
  }

  /** Counts what one answered inference read and wrote, before anything was packed. */
  countBytes(requestBytes: number, responseBytes: number): void {
    this.requestBytes.add(requestBytes);
    this.responseBytes.add(responseBytes);
  }

  /** Everything, said in steps: with a thousand models it is long, and requests come in between. */
  async text(): Promise<string> {
    let text = "";
    let told = 0;
    for (const lines of this.lines()) {
      text += `${lines}\n`;
      if (text.length - told < stepLength) continue;
      told = text.length;
      await nextTurn();
    }
    return text;
  }

  /** A series is said in one go, so that its numbers fit together. */
  private *lines(): Generator<string> {
    const all = [...this.statistics.all];
    const none: [string, Histogram][] = [["", this.requestBytes]];
    yield* counter(
      "boardwalk_http_requests_total",
      "HTTP requests answered.",
      labelled(this.http, "route", "method", "status"),
    );
    yield* counter(
      "boardwalk_grpc_requests_total",
      "gRPC calls answered.",
      labelled(this.grpc, "rpc", "code"),
    );
    yield* counter(
      "boardwalk_resets_total",
      "Connections and streams that this server ended on their clients, by cause.",
      labelled(this.cuts, "protocol", "cause"),
    );
    yield* histogram(
      "boardwalk_request_duration_seconds",
      "From request to answer, inferences.",
      labelled(this.durations, "model", "protocol", "outcome"),
    );
    yield* histogram("boardwalk_request_bytes", "Size of an inference's request.", none);
    yield* histogram("boardwalk_response_bytes", "Size of an inference's answer.", [
      ["", this.responseBytes],
    ]);
    yield* counter(
      "boardwalk_traffic_dropped_total",
      "Requests that the kept traffic lacks: the database was away for too long.",
      [["", this.uncounted()]],
    );
    yield* ofModels(all);
    yield* this.ownProcess.lines();
  }

  /** Gives up the series of models that are known no more: names come and go for as long as this process lives. */
  forgetUnknown(): void {
    for (const key of this.durations.keys()) {
      const [model = ""] = key.split(" ");
      if (model !== "unknown" && !this.isKnown(model)) this.durations.delete(key);
    }
  }

  private time(model: string | null, protocol: string, outcome: string, seconds: number): void {
    if (model === null) return;
    const key = `${this.isKnown(model) ? model : "unknown"} ${protocol} ${outcome}`;
    let known = this.durations.get(key);
    if (!known) {
      known = new Histogram(secondsBounds);
      this.durations.set(key, known);
    }
    known.add(seconds);
  }
}

function labelled<T>(map: ReadonlyMap<string, T>, ...names: readonly string[]): [string, T][] {
  return [...map].map(([key, value]) => {
    const values = key.split(" ");
    return [label(Object.fromEntries(names.map((name, i) => [name, values[i] ?? ""]))), value];
  });
}

function increase(map: Map<string, number>, key: string): void {
  map.set(key, (map.get(key) ?? 0) + 1);
}

/** Values of each model, under its labels. */
function each<T>(
  all: readonly ModelStatistics[],
  value: (of: ModelStatistics) => T,
): [string, T][] {
  return all.map((of) => [label({ model: of.model, version: of.version }), value(of)]);
}

function* ofModels(all: readonly ModelStatistics[]): Generator<string> {
  yield* tritonCounts(all);
  yield* tritonDurations(all);
  yield* queues(all);
  yield* refusals(all);
  yield* distributions(all);
}

/** Triton's own names, so that dashboards made for it work. */
const nv = "nv_inference";

function* tritonCounts(all: readonly ModelStatistics[]): Generator<string> {
  const failures = all.flatMap((of): [string, number][] =>
    failureReasons.map((reason) => [
      label({ model: of.model, version: of.version, reason }),
      of.failures.get(reason) ?? 0,
    ]),
  );
  yield* counter(
    `${nv}_request_success`,
    "Requests answered.",
    each(all, (of) => of.success.count),
  );
  yield* counter(`${nv}_request_failure`, "Requests that failed, by reason.", failures);
  yield* counter(
    `${nv}_count`,
    "Rows inferred.",
    each(all, (of) => of.inferenceCount),
  );
  yield* counter(
    `${nv}_exec_count`,
    "Calls to devices.",
    each(all, (of) => of.executionCount),
  );
}

/** Microseconds, as Triton counts them. */
const tritonTimes = [
  ["request", "From coming to answered.", (of) => of.success],
  ["queue", "Waiting for a device.", (of) => of.queue],
  ["compute_input", "Bringing inputs.", (of) => of.input],
  ["compute_infer", "On the device.", (of) => of.infer],
  ["compute_output", "Taking outputs.", (of) => of.output],
] as const satisfies readonly [string, string, (of: ModelStatistics) => Duration][];

function* tritonDurations(all: readonly ModelStatistics[]): Generator<string> {
  for (const [name, help, value] of tritonTimes) {
    yield* counter(
      `${nv}_${name}_duration_us`,
      help,
      each(all, (of) => Math.round(value(of).ns / 1000)),
    );
  }
}

function* queues(all: readonly ModelStatistics[]): Generator<string> {
  const pending = each(all, (of) => of.pending());
  const memory = each(all, (of) =>
    [...of.memoryBytes.values()].reduce((sum, bytes) => sum + bytes, 0),
  );
  yield* gauge(`${nv}_pending_request_count`, "Requests that wait.", pending);
  yield* gauge("boardwalk_queue_depth", "Requests that wait.", pending);
  yield* gauge(
    "boardwalk_model_memory_bytes",
    "Real memory that the model holds on board servers.",
    memory,
  );
}

function* refusals(all: readonly ModelStatistics[]): Generator<string> {
  const rejections = all.flatMap((of): [string, number][] =>
    [...of.rejections].map(([reason, count]) => [label({ model: of.model, reason }), count]),
  );
  yield* counter(
    "boardwalk_clipped_inputs_total",
    "Elements of inputs outside of the range that the firmware was built for.",
    each(all, (of) => of.clippedInputCount),
  );
  yield* counter("boardwalk_rejected_total", "Requests refused before they ran.", rejections);
}

function* distributions(all: readonly ModelStatistics[]): Generator<string> {
  yield* histogram(
    "boardwalk_queue_duration_seconds",
    "Waiting for a device.",
    each(all, (of) => of.queueSeconds),
  );
  yield* histogram(
    "boardwalk_execute_duration_seconds",
    "On the device.",
    each(all, (of) => of.executeSeconds),
  );
  yield* histogram(
    "boardwalk_batch_size",
    "Rows of one call.",
    each(all, (of) => of.batchRows),
  );
}
