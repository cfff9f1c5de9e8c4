/** Upper bounds in seconds: board inferences are short. */
const bounds = [
  0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
  5, 10, 30,
] as const;

interface Histogram {
  readonly counts: number[];
  sum: number;
}

export interface Sample {
  readonly route: string;
  /** Null where no model was asked for. */
  readonly model: string | null;
  readonly status: number;
  readonly seconds: number;
}

/** Counts requests; `text` is the Prometheus exposition. */
export class Meter {
  private readonly requests = new Map<string, number>();
  private readonly durations = new Map<string, Histogram>();
  private readonly isKnown: (model: string) => boolean;

  /** @param isKnown Unknown model names, which callers make up, share one label. */
  constructor(isKnown: (model: string) => boolean) {
    this.isKnown = isKnown;
  }

  count({ route, model, status, seconds }: Sample): void {
    const key = `route="${route}",status="${status}"`;
    this.requests.set(key, (this.requests.get(key) ?? 0) + 1);
    if (route !== "infer" || model === null) return;
    const outcome = status < 400 ? "success" : status < 500 ? "refused" : "failure";
    const label = `model="${this.isKnown(model) ? model : "unknown"}",outcome="${outcome}"`;
    let histogram = this.durations.get(label);
    if (!histogram) {
      histogram = { counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 };
      this.durations.set(label, histogram);
    }
    const bucket = bounds.findIndex((bound) => seconds <= bound);
    const index = bucket === -1 ? bounds.length : bucket;
    histogram.counts[index] = (histogram.counts[index] ?? 0) + 1;
    histogram.sum += seconds;
  }

  text(): string {
    const lines = [
      "# HELP boardwalk_http_requests_total Requests answered.",
      "# TYPE boardwalk_http_requests_total counter",
    ];
    for (const [key, count] of this.requests) {
      lines.push(`boardwalk_http_requests_total{${key}} ${count}`);
    }
    const name = "boardwalk_request_duration_seconds";
    lines.push(`# HELP ${name} From request to answer, inferences.`, `# TYPE ${name} histogram`);
    for (const [key, { counts, sum }] of this.durations) {
      let total = 0;
      counts.forEach((count, index) => {
        total += count;
        lines.push(`${name}_bucket{${key},le="${bounds[index] ?? "+Inf"}"} ${total}`);
      });
      lines.push(`${name}_sum{${key}} ${sum}`, `${name}_count{${key}} ${total}`);
    }
    return `${lines.join("\n")}\n`;
  }
}
