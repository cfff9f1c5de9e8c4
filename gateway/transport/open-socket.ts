import { connect, isIPv4, type Socket } from "node:net";
import { fail } from "@/lib/common/errors";
import type { TensorAddress } from "@/lib/server/board-protocol";

const connectMs = 2000;

/**
 * A connection to a board server, or to a model's own socket, being made. It ends with an error when nobody takes it.
 *
 * @throws {AppError} `LINK_INSECURE`: tensors leave this host only under TLS, and no board server of ours speaks that yet.
 */
export function openSocket(address: TensorAddress): Socket {
  const socket = address.kind === "unix" ? connect(address.path) : connectTo(address);
  socket.setTimeout(connectMs, () => socket.destroy(new Error("nobody takes the connection")));
  socket.once("connect", () => socket.setTimeout(0));
  return socket;
}

function connectTo({ host, port }: Extract<TensorAddress, { kind: "tcp" }>): Socket {
  const bare = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (!isLoopback(bare)) {
    throw fail("LINK_INSECURE", `The board server at ${host} cannot be reached in the clear.`, {
      hint: "Let it listen on a Unix socket or on loopback, and bring its port here by a tunnel.",
    });
  }
  return connect({ host: bare, port, noDelay: true });
}

/** Numbers and `localhost` only: another name may lead anywhere tomorrow. */
const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
