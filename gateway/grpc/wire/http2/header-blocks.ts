import { checkDependency } from "./checks";
import { calm, frameSize, protocol } from "./errors";
import { type FrameHead, flags, frameTypes, unpadded } from "./frames";
import { type Allowance, limits } from "./limits";

const priorityBytes = 5;

/** Puts header blocks together, which may lie in several frames that follow each other. */
export class HeaderBlocks {
  private readonly controls: Allowance;
  private readonly onBlock: (head: FrameHead, block: Buffer) => void;
  private parts: Buffer[] = [];
  private bytes = 0;
  /** The frame that began the block whose end is missing. */
  open: FrameHead | null = null;

  constructor(controls: Allowance, onBlock: (head: FrameHead, block: Buffer) => void) {
    this.controls = controls;
    this.onBlock = onBlock;
  }

  /** @throws {ConnectionError} when something else comes within a block. */
  checkOrder({ type, streamId }: FrameHead): void {
    if (!this.open) return;
    if (type !== frameTypes.continuation || streamId !== this.open.streamId) {
      throw protocol("a header block is not continued");
    }
  }

  /** @throws {ConnectionError | StreamError} */
  begin(head: FrameHead, payload: Buffer): void {
    if (head.streamId % 2 === 0) throw protocol("a stream of a client has an odd number");
    let block = unpadded(head, payload);
    if ((head.flags & flags.priority) !== 0) {
      if (block.length < priorityBytes) throw frameSize("a priority is cut off");
      checkDependency(head.streamId, block);
      block = block.subarray(priorityBytes);
    }
    if ((head.flags & flags.endHeaders) !== 0) {
      this.onBlock(head, block);
      return;
    }
    this.open = head;
    this.parts = [block];
    this.bytes = block.length;
  }

  /** @throws {ConnectionError} */
  go(head: FrameHead, payload: Buffer): void {
    const { open } = this;
    if (!open) throw protocol("nothing is to be continued");
    if (payload.length === 0 && !this.controls.take()) throw calm("too many empty frames");
    this.parts.push(payload);
    this.bytes += payload.length;
    if (this.bytes > limits.headerBlockBytes) throw calm("the headers are too long");
    if ((head.flags & flags.endHeaders) === 0) return;
    this.open = null;
    this.onBlock(open, Buffer.concat(this.parts));
  }
}
