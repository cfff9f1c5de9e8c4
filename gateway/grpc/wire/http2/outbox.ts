import type { Socket } from "node:net";
import { limits } from "./limits";

/** Up to here one copy is quicker than several pieces. */
const joinedBytes = 64 * 1024;

/** What leaves on a socket: all that is written in one turn goes together. */
export class Outbox {
  private readonly socket: Socket;
  private waiting: Buffer[] = [];
  private closed = false;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  /** False while the socket has more to write than it should hold. */
  get isWritable(): boolean {
    return this.socket.writableLength < limits.writeQueueBytes;
  }

  write(bytes: Buffer): void {
    if (this.closed) return;
    if (this.waiting.length === 0) process.nextTick(() => this.flush());
    this.waiting.push(bytes);
  }

  /** Sends what waits, then `last` in its place if that is given, and ends. */
  end(last?: string): void {
    if (this.closed) return;
    if (last === undefined) this.flush();
    this.waiting = [];
    this.closed = true;
    if (last === undefined) this.socket.end();
    else this.socket.end(last);
  }

  private flush(): void {
    const { waiting, socket } = this;
    this.waiting = [];
    if (this.closed || socket.destroyed || socket.writableEnded) return;
    const [only] = waiting;
    const total = waiting.reduce((sum, { length }) => sum + length, 0);
    if (waiting.length === 1 && only) socket.write(only);
    else if (total <= joinedBytes) socket.write(Buffer.concat(waiting, total));
    else {
      socket.cork();
      for (const bytes of waiting) socket.write(bytes);
      socket.uncork();
    }
    if (socket.writableLength > limits.writeQueueMaxBytes) socket.destroy();
  }
}
