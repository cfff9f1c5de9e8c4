/** Consecutive lines of a log, encoded. */
export class LogPiece {
  /** Number of the last line; of no lines, that of the one before. */
  readonly last: number;
  private readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each line begins. */
  private readonly starts: Uint32Array;
  private readonly first: number;

  constructor(first: number, lines: readonly Uint8Array[]) {
    this.first = first;
    this.last = first + lines.length - 1;
    this.bytes = new Uint8Array(lines.reduce((sum, { length }) => sum + length, 0));
    this.starts = new Uint32Array(lines.length);
    let at = 0;
    for (const [index, line] of lines.entries()) {
      this.starts[index] = at;
      this.bytes.set(line, at);
      at += line.length;
    }
  }

  get sizeBytes(): number {
    return this.bytes.length;
  }

  /** The lines behind line `n`. */
  after(n: number): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(this.starts[Math.max(0, n - this.first + 1)] ?? this.bytes.length);
  }
}

/** Pieces that were read lately; those that nobody asked for longest go when they are too many bytes. */
export class LogPieces {
  private readonly kept = new Map<string, LogPiece>();
  private readonly mostBytes: number;
  private bytes = 0;

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes;
  }

  get(key: string): LogPiece | undefined {
    const piece = this.kept.get(key);
    if (piece) {
      this.kept.delete(key);
      this.kept.set(key, piece);
    }
    return piece;
  }

  keep(key: string, piece: LogPiece): void {
    if (this.kept.has(key)) return;
    this.kept.set(key, piece);
    this.bytes += piece.sizeBytes;
    for (const [old, { sizeBytes }] of this.kept) {
      if (this.bytes <= this.mostBytes) break;
      this.kept.delete(old);
      this.bytes -= sizeBytes;
    }
  }
}
