import { Backoff } from "@/lib/common/backoff";
import {
  type ChangeEvent,
  changeEventSchema,
  type LogLine,
  logLineSchema,
} from "@/lib/common/contract";

/** `stale`: so long without a stream that what is shown may be old; polling has taken over. */
export type LiveState = "connecting" | "live" | "reconnecting" | "stale";

/** The one log a tab follows. `after` tells the number of the last line it holds, asked anew at each connect. */
export interface LogWatch {
  readonly buildId: string;
  readonly attempt: number;
  readonly after: () => number;
  readonly onLines: (lines: readonly LogLine[]) => void;
}

interface StreamOptions {
  readonly url: string;
  readonly onChange: (change: ChangeEvent) => void;
  /** Called when changes may have been missed: at the first connect, and when polling takes over. */
  readonly onGap: () => void;
  readonly open?: (url: string) => EventSource;
}

const staleAfterMs = 15_000;
const paintMs = 100;
/** Twice the heartbeat of the server and a little: a silent connection is a dead one. */
const silenceMs = 40_000;

/**
 * The tab's one event stream. It reconnects by itself with its present cursors, so that no change is lost and no log line comes
 * twice, and hands log lines on at most ten times a second.
 */
export class LiveStream {
  private source: EventSource | null = null;
  private seq: number | null = null;
  private watch: LogWatch | null = null;
  private state: LiveState = "connecting";
  private readonly backoff = new Backoff({ firstMs: 500, mostMs: 10_000 });
  private pending: LogLine[] = [];
  private heartbeats = false;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private staleTimer: ReturnType<typeof setTimeout> | undefined;
  private paintTimer: ReturnType<typeof setTimeout> | undefined;
  private silenceTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly listeners = new Set<() => void>();
  private readonly options: StreamOptions;
  /** When the last message came, for the age that a stale mark shows. */
  lastMessageAt = 0;

  constructor(options: StreamOptions) {
    this.options = options;
  }

  getState = (): LiveState => this.state;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Opens the stream, or opens it again at once. */
  connect(): void {
    this.disconnect();
    const open = this.options.open ?? ((url: string) => new EventSource(url));
    const source = open(this.address());
    this.source = source;
    source.addEventListener("open", () => this.onOpen());
    source.addEventListener("change", (event) => this.onChange(event));
    source.addEventListener("log", (event) => this.onLog(event));
    source.addEventListener("heartbeat", () => {
      this.heartbeats = true;
      this.heard();
    });
    source.addEventListener("error", () => this.onError());
    this.staleTimer ??= setTimeout(() => this.becomeStale(), staleAfterMs);
  }

  /** Ends the connection and every timer; `connect` resumes where it stopped. */
  disconnect(): void {
    this.source?.close();
    this.source = null;
    clearTimeout(this.retryTimer);
    clearTimeout(this.silenceTimer);
    clearTimeout(this.paintTimer);
    this.paintTimer = undefined;
    this.flush();
  }

  close(): void {
    this.disconnect();
    clearTimeout(this.staleTimer);
    this.staleTimer = undefined;
  }

  /** Follows a log until the returned function is called. A tab follows one log at a time. */
  watchLog(watch: LogWatch): () => void {
    this.flush();
    this.watch = watch;
    if (this.source) this.connect();
    return () => {
      if (this.watch !== watch) return;
      this.flush();
      this.watch = null;
    };
  }

  private address(): string {
    const query = new URLSearchParams();
    if (this.seq !== null) query.set("events", String(this.seq));
    if (this.watch) {
      query.set("log", `${this.watch.buildId}:${this.watch.attempt}:${this.watch.after()}`);
    }
    const text = query.toString();
    return text === "" ? this.options.url : `${this.options.url}?${text}`;
  }

  private onOpen(): void {
    this.backoff.reset();
    clearTimeout(this.staleTimer);
    this.staleTimer = undefined;
    const wasStale = this.state === "stale";
    this.setState("live");
    this.heard();
    if (this.seq === null || wasStale) this.options.onGap();
  }

  private onChange(event: MessageEvent<string>): void {
    this.heard();
    const change = changeEventSchema.safeParse(parseJson(event.data));
    if (!change.success) return;
    if (this.seq !== null && change.data.seq <= this.seq) return;
    this.seq = change.data.seq;
    this.options.onChange(change.data);
  }

  private onLog(event: MessageEvent<string>): void {
    this.heard();
    const attempt = Number(event.lastEventId.split(":")[0]);
    if (event.lastEventId !== "" && attempt !== this.watch?.attempt) return;
    const line = logLineSchema.safeParse(parseJson(event.data));
    if (!line.success) return;
    this.pending.push(line.data);
    this.paintTimer ??= setTimeout(() => this.flush(), paintMs);
  }

  private flush(): void {
    clearTimeout(this.paintTimer);
    this.paintTimer = undefined;
    if (this.pending.length === 0) return;
    const lines = this.pending;
    this.pending = [];
    this.watch?.onLines(lines);
  }

  private onError(): void {
    this.disconnect();
    if (this.state !== "stale") this.setState("reconnecting");
    this.staleTimer ??= setTimeout(() => this.becomeStale(), staleAfterMs);
    this.retryTimer = setTimeout(() => this.connect(), this.backoff.nextMs());
  }

  private becomeStale(): void {
    this.setState("stale");
    this.options.onGap();
  }

  private heard(): void {
    this.lastMessageAt = Date.now();
    clearTimeout(this.silenceTimer);
    if (this.heartbeats) this.silenceTimer = setTimeout(() => this.onError(), silenceMs);
  }

  private setState(state: LiveState): void {
    if (this.state === state) return;
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
