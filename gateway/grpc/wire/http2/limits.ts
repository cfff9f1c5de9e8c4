/** What a client may do to us, and what it is told of it. */
export const limits = {
  concurrentStreams: 1000,
  /** Bytes of one stream, and of all, that may be under way to us. */
  streamWindowBytes: 4 * 2 ** 20,
  connectionWindowBytes: 16 * 2 ** 20,
  /** Of one header block with its continuations. */
  headerBlockBytes: 32_768,
  /** A connection that says nothing proper for so long at its begin is cut; so is one in the middle of a frame. */
  silenceMs: 10_000,
  /** A connection without a call for so long is told to leave; clients open another when they need it. */
  idleMs: 300_000,
  /** Bytes that wait to be written: above, answers wait; far above, the client is gone for us. */
  writeQueueBytes: 2 ** 20,
  writeQueueMaxBytes: 64 * 2 ** 20,
} as const;

/** Frames that cost us more than the sender: so many at once, and so many a second on the long run. */
const allowances = {
  resets: { burst: 1000, perSecond: 100 },
  controls: { burst: 10_000, perSecond: 1000 },
} as const;

/** Counts what a client may do only so often. */
export class Allowance {
  private readonly perSecond: number;
  private readonly burst: number;
  private left: number;
  private atMs = performance.now();

  constructor(kind: keyof typeof allowances) {
    ({ burst: this.burst, perSecond: this.perSecond } = allowances[kind]);
    this.left = this.burst;
  }

  /** False when it has been too often. */
  take(): boolean {
    if (this.left < 1) {
      const nowMs = performance.now();
      this.left = Math.min(this.burst, ((nowMs - this.atMs) / 1000) * this.perSecond);
      this.atMs = nowMs;
    }
    this.left -= 1;
    return this.left >= 0;
  }
}
