import { isAppError } from "@/lib/common/errors";
import type { DialAddress, TlsIdentity } from "@/lib/server/board-protocol";
import {
  type BoardLink,
  type LinkAnswer,
  type LinkCall,
  LinkError,
  placeOf,
  type Replica,
} from "../core";
import { checkAnswer } from "./check-answer";
import { DirectConnection } from "./direct-connection";
import { openSocket } from "./open-socket";
import { PingConnection } from "./ping-connection";

/**
 * Frames on kept connections: one to each board server for the calls of all its slots, one to each model that has a socket.
 *
 * @param identity What is shown to board servers of other hosts; null: none is reached.
 */
export function createFrameLink(identity: TlsIdentity | null = null): BoardLink {
  const servers = new Map<string, DirectConnection>();
  const pings = new Map<string, PingConnection>();
  const direct = new DirectConnections();
  const serverAt = (address: DialAddress): DirectConnection => {
    const key = placeOf(address);
    const known = servers.get(key);
    if (known && !known.isOver) return known;
    const made = new DirectConnection((onOpen) => openSocket(address, { identity, onOpen }));
    servers.set(key, made);
    return made;
  };
  const viaServer = async (call: LinkCall): Promise<LinkAnswer> => {
    const { replica } = call;
    const answer = checkAnswer(await serverAt(replica.address).infer(call));
    if (answer.direct !== null && replica.address.kind === "unix")
      direct.set(replica, answer.direct, {
        // A simulation is a thread of its board server; a model on the CPU has a process of its own.
        server: answer.timing.simulated ? placeOf(replica.address) : null,
      });
    return answer;
  };
  return {
    async infer(call) {
      const { replica } = call;
      const connection = direct.get(replica);
      if (!connection) return await viaServer(call);
      try {
        return await connection.infer(call);
      } catch (error) {
        // Its process is gone or unloads it: the board server knows what became of the slot.
        const refused = isAppError(error) && error.reason === "REVISION_MISMATCH";
        if (error instanceof LinkError || refused) direct.forget(replica);
        if (refused || (error instanceof LinkError && !error.sent)) return await viaServer(call);
        throw error;
      }
    },
    async ping(address, signal) {
      const key = placeOf(address);
      const connection =
        pings.get(key) ??
        new PingConnection(() => openSocket(address, { identity, onOpen: () => {} }));
      pings.set(key, connection);
      await connection.ask(signal);
    },
    giveUp(address) {
      const key = placeOf(address);
      const silent = new Error("the board server is silent");
      servers.get(key)?.giveUp(silent);
      servers.delete(key);
      direct.giveUp(key, silent);
    },
    async close() {
      for (const connection of servers.values()) connection.close();
      direct.close();
      for (const connection of pings.values()) connection.close();
    },
  };
}

interface Direct {
  readonly epoch: number;
  readonly connection: DirectConnection;
  /** The board server that it is silent with; null: it may answer when that does not. */
  readonly server: string | null;
}

/** Connections to models that answer on sockets of their own, by slot; a new epoch has another one. */
class DirectConnections {
  private readonly bySlot = new Map<string, Direct>();

  get({ slotId, slotEpoch }: Replica): DirectConnection | undefined {
    const known = this.bySlot.get(slotId);
    return known?.epoch === slotEpoch ? known.connection : undefined;
  }

  set(replica: Replica, path: string, { server }: Pick<Direct, "server">): void {
    if (this.get(replica)) return;
    this.forget(replica);
    const connection = new DirectConnection((onOpen) =>
      openSocket({ kind: "unix", path }, { identity: null, onOpen }),
    );
    this.bySlot.set(replica.slotId, { epoch: replica.slotEpoch, connection, server });
  }

  forget({ slotId }: Replica): void {
    this.bySlot.get(slotId)?.connection.close();
    this.bySlot.delete(slotId);
  }

  giveUp(silent: string, why: Error): void {
    for (const [slotId, { server, connection }] of this.bySlot) {
      if (server !== silent) continue;
      connection.giveUp(why);
      this.bySlot.delete(slotId);
    }
  }

  close(): void {
    for (const { connection } of this.bySlot.values()) connection.close();
  }
}
