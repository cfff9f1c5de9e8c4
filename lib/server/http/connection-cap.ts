import type { Socket } from "node:net";
import { Tally } from "@/lib/common/tally";
import { clientOf } from "./client-of";

/** Connections that each client has open, over all protocols. */
export class ConnectionCap {
  private readonly counts = new Tally();
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Counts a connection until it closes. False: its client has as many as it may, and this one is not counted. */
  admit(socket: Socket): boolean {
    const client = clientOf(socket.remoteAddress);
    if (this.counts.of(client) >= this.limit) return false;
    this.counts.add(client, 1);
    socket.once("close", () => this.counts.add(client, -1));
    return true;
  }
}
