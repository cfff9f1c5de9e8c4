import type { Socket } from "node:net";
import { isRecord } from "@/lib/common/records";
import { isLeaving, type Ping, readFrames, writeFrame } from "@/lib/server/board-protocol";

/** Asks a board server whether it is there, apart from its calls, so that no inference makes a ping wait. */
export class PingConnection {
  private readonly connect: () => Socket;
  private socket: Socket | null = null;
  private nextPing = 1;
  private settle: (error: Error | null) => void = () => {};

  /** @param connect Opens a connection to it. */
  constructor(connect: () => Socket) {
    this.connect = connect;
  }

  /** Resolves when it answers; one ping at a time. After an error the next is asked on a new connection. */
  ask(signal: AbortSignal): Promise<void> {
    const socket = this.socket ?? this.open();
    const onAbort = (): void => void socket.destroy(new Error("the board server is silent"));
    signal.addEventListener("abort", onAbort, { once: true });
    return new Promise<void>((resolve, reject) => {
      this.settle = (error) => (error ? reject(error) : resolve());
      if (signal.aborted) onAbort();
      else writeFrame(socket, { ping: this.nextPing } satisfies Ping, []);
    }).finally(() => signal.removeEventListener("abort", onAbort));
  }

  close(): void {
    this.socket?.destroy();
  }

  private open(): Socket {
    const socket = this.connect();
    this.socket = socket;
    let why = new Error("the board server closed the connection");
    socket.on("error", (error) => {
      why = error;
    });
    socket.on("close", () => {
      this.socket = null;
      this.settle(why);
    });
    readFrames(socket, ({ head }) => {
      if (isLeaving(head)) return void socket.end();
      if (!isRecord(head) || head["pong"] !== this.nextPing) return;
      this.nextPing++;
      this.settle(null);
    });
    return socket;
  }
}
