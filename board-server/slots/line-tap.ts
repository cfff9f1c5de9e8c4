import { randomUUID } from "node:crypto";
import type { LineReport } from "@/lib/server/board-protocol";

/** What waits for the portal is no more than this: who floods a line loses the oldest. */
const kept = { bytes: 32 * 1024, chunks: 1000 } as const;
/** Bytes that one report carries. */
const mostToldBytes = 16 * 1024;
/** Bytes that come one by one are told together. */
const mergeWithinMs = 20;
const mostChunkBytes = 1024;
/** The portal hears of what comes this much later at most: not of each byte by itself. */
const settleMs = 40;

type Told = LineReport["chunks"][number];
interface Chunk {
  readonly number: number;
  readonly toBoard: boolean;
  atMs: number;
  bytes: Uint8Array;
}

/** Hears what passes on the line of a slot, from when somebody wants to see it until the slot is emptied. */
export class LineTap {
  /** Names this one time that the slot was loaded. */
  readonly id = randomUUID();
  private chunks: Chunk[] = [];
  private bytes = 0;
  private next = 1;
  /** Chunks up to here may have been told: they do not change any more. */
  private told = 0;
  private timer: NodeJS.Timeout | null = null;
  private readonly onNews: () => void;

  constructor(onNews: () => void) {
    this.onNews = onNews;
  }

  note(toBoard: boolean, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += mostChunkBytes)
      this.add(toBoard, bytes.subarray(at, at + mostChunkBytes));
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.onNews();
    }, settleMs);
  }

  /** The oldest that were not heard. */
  report(): Pick<LineReport, "tap" | "chunks"> | null {
    const chunks: Told[] = [];
    let bytes = 0;
    for (const { number, toBoard, atMs, bytes: own } of this.chunks) {
      bytes += own.length;
      if (bytes > mostToldBytes) break;
      const agoMs = Math.max(0, Math.round(performance.now() - atMs));
      chunks.push({ number, toBoard, agoMs, bytes: Buffer.from(own).toString("base64") });
      this.told = Math.max(this.told, number);
    }
    return chunks.length > 0 ? { tap: this.id, chunks } : null;
  }

  /** The portal has heard these. */
  forget({ tap, chunks }: Pick<LineReport, "tap" | "chunks">): void {
    const last = chunks.at(-1)?.number ?? 0;
    if (tap !== this.id) return;
    this.keep(this.chunks.filter(({ number }) => number > last));
    if (this.chunks.length > 0) this.onNews();
  }

  close(): void {
    if (this.timer) clearTimeout(this.timer);
    this.keep([]);
  }

  private add(toBoard: boolean, bytes: Uint8Array): void {
    const now = performance.now();
    const last = this.chunks.at(-1);
    const isSame =
      last !== undefined &&
      last.toBoard === toBoard &&
      last.number > this.told &&
      now - last.atMs < mergeWithinMs &&
      last.bytes.length + bytes.length <= mostChunkBytes;
    if (isSame) {
      last.bytes = new Uint8Array(Buffer.concat([last.bytes, bytes]));
      this.bytes += bytes.length;
    } else {
      this.chunks.push({ number: this.next++, toBoard, atMs: now, bytes: Uint8Array.from(bytes) });
      this.bytes += bytes.length;
    }
    while (this.bytes > kept.bytes || this.chunks.length > kept.chunks) {
      this.bytes -= this.chunks.shift()?.bytes.length ?? this.bytes;
    }
  }

  private keep(chunks: Chunk[]): void {
    this.chunks = chunks;
    this.bytes = chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }
}
