import { fail } from "@/lib/common/errors";
import type { Reservation } from "./byte-budget";
import { copyInSteps } from "./copy-in-steps";

const leastBlockBytes = 4096;
const mostBlockBytes = 2 ** 20;
/** An announced body has the memory for all of it from here on. */
const partBytes = 2 ** 18;
/** An honest sender's pieces are packets; more than so many, of a few bytes each, only cost us. */
const manyPieces = 65_536;
const leastPieceBytes = 32;

/** DEFLATE reaches about 1,030:1; honest tensors come nowhere near this. */
const maxRatio = 200;
/** Unpacked bytes that are taken whatever the ratio. */
const leastUnpackedBytes = 65_536;

/** Bytes that so many packed ones may become. */
export function unpackedLimit(packedBytes: number, maxBytes: number): number {
  return Math.min(maxBytes, Math.max(leastUnpackedBytes, packedBytes * maxRatio));
}

/** Gathers a body from pieces. It holds about what has come, and tells the budget of every byte. */
export class BodyCollector {
  private readonly reservation: Reservation;
  private readonly blocks: Buffer[] = [];
  /** The last block, where there is room in it. */
  private open: Buffer | null = null;
  private openFilled = 0;
  private pieces = 0;
  private size = 0;
  private readonly announcedBytes: number;

  /** @param announcedBytes Of the whole body, where that is known; it comes with no more. */
  constructor(reservation: Reservation, announcedBytes = 0) {
    this.reservation = reservation;
    this.announcedBytes = announcedBytes;
  }

  get length(): number {
    return this.size;
  }

  /** @throws {AppError} `RATE_LIMITED`, `MEMORY_FULL`; `INFER_INVALID` for a body in crumbs. */
  add(piece: Buffer): void {
    if (++this.pieces > manyPieces && this.size < this.pieces * leastPieceBytes) {
      throw fail("INFER_INVALID", `the body comes in pieces of less than ${leastPieceBytes} bytes`);
    }
    this.reservation.add(piece.length);
    const before = this.size;
    this.size += piece.length;
    // A body in one piece is not copied at all. Others are: what a socket reads is cut to size where it lies, and the holes
    // between thousands of kept pieces came to as much memory again.
    if (before === 0 || piece.length >= mostBlockBytes) {
      this.seal();
      this.blocks.push(piece);
    } else this.copy(piece);
  }

  /**
   * The whole body: the piece itself where there was only one, else memory of its own, of a large one in a while. Nothing
   * can be added then.
   */
  take(): Buffer | Promise<Buffer> {
    this.seal();
    const [only] = this.blocks;
    return this.blocks.length === 1 && only ? only : copyInSteps(this.blocks);
  }

  private copy(piece: Buffer): void {
    let rest = piece;
    while (rest.length > 0) {
      this.open ??= this.nextBlock();
      const copied = rest.copy(this.open, this.openFilled);
      this.openFilled += copied;
      rest = rest.subarray(copied);
      if (this.openFilled === this.open.length) this.seal();
    }
  }

  /**
   * Room for what comes next. Of an announced body that is the whole, once a part of it is here: the system gives memory
   * only where it is written, so nobody makes us hold what he did not send, and it need not be copied in the end.
   */
  private nextBlock(): Buffer {
    const held = this.blocks.reduce((sum, { length }) => sum + length, 0);
    if (held < partBytes || this.announcedBytes <= held) {
      const blockBytes = Math.min(mostBlockBytes, Math.max(leastBlockBytes, this.size));
      return Buffer.from(new ArrayBuffer(blockBytes));
    }
    const whole = Buffer.from(new ArrayBuffer(this.announcedBytes));
    let at = 0;
    for (const block of this.blocks.splice(0)) {
      whole.set(block, at);
      at += block.length;
    }
    this.openFilled = at;
    return whole;
  }

  private seal(): void {
    if (this.open) this.blocks.push(this.open.subarray(0, this.openFilled));
    this.open = null;
    this.openFilled = 0;
  }
}
