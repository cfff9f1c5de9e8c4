import type { RouteEndpoint } from "@/domain/routes";
import type { TrafficBatch } from "@/domain/traffic";
import type { RequestProtocol } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { uuidv7 } from "@/lib/server/db";
import { logger } from "@/lib/server/logger";
import { Asked, type AskedEnd } from "./asked";
import { Clock } from "./clock";
import { LastRequests } from "./last-requests";
import { Minutes } from "./minutes";

const defaultEveryMs = 5000;

/** Where counts go, and whose there are. */
export interface TrafficOptions {
  /** Writes a batch and answers the database's time, Unix milliseconds. What it throws has the batch written again later. */
  readonly write: (batch: TrafficBatch) => Promise<number>;
  /** How often it is written. */
  readonly everyMs?: number;
}

/**
 * Counts what endpoints are asked, minute by minute, and writes it down. A request is counted in memory that is there
 * already; a database that is away slows none, and what waits for it is bounded.
 */
export class Traffic {
  private readonly options: TrafficOptions;
  private readonly endpointOf: (model: string) => RouteEndpoint | undefined;
  private readonly writer = uuidv7();
  private readonly clock = new Clock();
  private readonly minutes = new Minutes();
  private readonly requests = new LastRequests();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private isAway = false;
  private toldDropped = 0;
  private closed = false;

  /** @param endpointOf Undefined of models that do not exist: callers make names up, and those are not counted. */
  constructor(options: TrafficOptions, endpointOf: (model: string) => RouteEndpoint | undefined) {
    this.options = options;
    this.endpointOf = endpointOf;
    this.next(0);
  }

  /** Requests whose counts were given up. */
  get dropped(): number {
    return this.minutes.droppedRequests;
  }

  /** To be called when an inference comes; null: nobody counts it. */
  begin(model: string, protocol: RequestProtocol): Asked | null {
    const { id, keepsPayloads = false } = this.endpointOf(model) ?? {};
    return id === undefined ? null : new Asked(id, keepsPayloads, protocol);
  }

  /** To be called once for what `begin` answered. */
  end(asked: Asked, end: AskedEnd): void {
    const nowMs = this.clock.nowMs();
    const counters = this.minutes.of(asked, nowMs);
    if (end.status >= 400) counters.failed(end.status);
    else counters.answered(asked.rows, end.seconds * 1e6, asked.timing);
    this.requests.note(asked, end, nowMs);
  }

  /** Writes what is there, once. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.writing;
    do await this.flush();
    while (this.minutes.isBehind && !this.isAway);
  }

  private next(inMs: number): void {
    this.timer = setTimeout(() => {
      this.writing = this.flush().then(() => {
        const { everyMs = defaultEveryMs } = this.options;
        if (!this.closed) this.next(this.minutes.isBehind && !this.isAway ? 0 : everyMs);
      });
    }, inMs);
    this.timer.unref();
  }

  private async flush(): Promise<void> {
    try {
      if (!this.clock.isSet) await this.setClock();
      await this.write();
      if (this.isAway) logger().info({ dropped: this.dropped }, "traffic is written again");
      this.isAway = false;
    } catch (err) {
      const reason = isAppError(err) ? err.reason : "INTERNAL";
      if (!this.isAway) logger().warn({ err, reason }, "traffic cannot be written, and waits");
      this.isAway = true;
    }
    this.tellDropped();
  }

  private async write(): Promise<void> {
    const minutes = this.minutes.take(this.clock.nowMs());
    const requests = this.requests.take();
    if (minutes.rows.length === 0 && requests.length === 0) return;
    try {
      const batch = { writer: this.writer, minutes: minutes.rows, requests };
      this.clock.set(await this.options.write(batch));
      minutes.done();
      this.requests.done();
    } catch (err) {
      minutes.failed();
      throw err;
    }
  }

  /** Nothing is written before the database has told the time: this host's may be wrong. */
  private async setClock(): Promise<void> {
    const none = { writer: this.writer, minutes: [], requests: [] };
    this.minutes.shift(this.clock.set(await this.options.write(none)));
  }

  private tellDropped(): void {
    if (this.dropped === this.toldDropped) return;
    this.toldDropped = this.dropped;
    logger().warn(
      { dropped: this.dropped },
      "traffic was not written for too long: counts are lost",
    );
  }
}
