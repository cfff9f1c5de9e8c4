import type { Socket } from "node:net";
import { fail } from "@/lib/common/errors";
import { notOwner, OwnerGuard } from "@/lib/server/http";

/** The connections of a server by the address that a call names. Callers from this machine must be its owner. */
export class Callers {
  private readonly owner = new OwnerGuard();
  private readonly sockets = new Map<string, Socket>();

  /** Keeps a connection until it closes. */
  note(socket: Socket): void {
    const peer = `${socket.remoteAddress}:${socket.remotePort}`;
    this.sockets.set(peer, socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.sockets.delete(peer));
  }

  /**
   * Lets the owner pass. Of other machines nothing is known: the address that is listened on lets them in.
   *
   * @throws {AppError} `FORBIDDEN`; `CANCELLED` where the caller is gone.
   */
  async requireOwner(peer: string): Promise<void> {
    const socket = this.sockets.get(peer);
    if (!socket) throw fail("CANCELLED", "The caller is gone.");
    const isLocal = /^(::1|(::ffff:)?127\.)/.test(peer);
    if (isLocal && (await this.owner.identify({ socket, headers: {} })) === "other")
      throw notOwner("other");
  }

  destroy(): void {
    for (const socket of this.sockets.values()) socket.destroy();
  }
}
