import { fail } from "@/lib/common/errors";
import { copyInSteps } from "../codec";
import type { Reservation } from "./byte-budget";

const leastBlockBytes = 4096;
const mostBlockBytes = 2 ** 20;
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

  constructor(reservation: Reservation) {
    this.reservation = reservation;
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
      this.open ??= Buffer.from(
        new ArrayBuffer(Math.min(mostBlockBytes, Math.max(leastBlockBytes, this.size))),
      );
      const copied = rest.copy(this.open, this.openFilled);
      this.openFilled += copied;
      rest = rest.subarray(copied);
      if (this.openFilled === this.open.length) this.seal();
    }
  }

  private seal(): void {
    if (this.open) this.blocks.push(this.open.subarray(0, this.openFilled));
    this.open = null;
    this.openFilled = 0;
  }
}
