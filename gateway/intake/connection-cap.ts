import type { Socket } from "node:net";
import { clientOf } from "./client-of";

/** Connections that each client has open, over all protocols. */
export class ConnectionCap {
  private readonly counts = new Map<string, number>();
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Counts a connection until it closes. False: its client has as many as it may, and this one is not counted. */
  admit(socket: Socket): boolean {
    const client = clientOf(socket.remoteAddress);
    const count = this.counts.get(client) ?? 0;
    if (count >= this.limit) return false;
    this.counts.set(client, count + 1);
    socket.once("close", () => {
      const left = (this.counts.get(client) ?? 1) - 1;
      if (left > 0) this.counts.set(client, left);
      else this.counts.delete(client);
    });
    return true;
  }
}
