import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { fail } from "@/lib/common/errors";
import {
  bareHost,
  type DialAddress,
  isLoopback,
  peerKeyOf,
  type TlsIdentity,
} from "@/lib/server/board-protocol";

const connectMs = 2000;
const tlsMs = 5000;

/** Who asks, and what is to be done once the other side may be written to. */
export interface Opening {
  /** What this gateway shows to board servers of other hosts; null: it reaches none. */
  readonly identity: TlsIdentity | null;
  readonly onOpen: () => void;
}

/**
 * A connection to a board server, or to a model's own socket, being made. It ends with an error when nobody takes it. What is
 * written to one of another host leaves only once that has shown the key that was pinned when it enrolled.
 *
 * @throws {AppError} `LINK_INSECURE`: tensors leave this host only under TLS.
 */
export function openSocket(address: DialAddress, { identity, onOpen }: Opening): Socket {
  if (address.kind === "tls") return openTls(address, { identity, onOpen });
  const socket = address.kind === "unix" ? connect(address.path) : connectTo(address);
  endsUnlessOpen(socket, connectMs);
  socket.once("connect", () => {
    socket.setTimeout(0);
    onOpen();
  });
  return socket;
}

function endsUnlessOpen(socket: Socket, mostMs: number): void {
  socket.setTimeout(mostMs, () => socket.destroy(new Error("nobody takes the connection")));
}

function connectTo({ host, port }: Extract<DialAddress, { kind: "tcp" }>): Socket {
  if (!isLoopback(host)) {
    throw fail("LINK_INSECURE", `The board server at ${host} cannot be reached in the clear.`, {
      hint: "Start it with BOARD_SERVER_HOST, so that it speaks TLS, or bring its port here by a tunnel.",
    });
  }
  return connect({ host: bareHost(host), port, noDelay: true });
}

function openTls(
  { host, port, publicKey }: Extract<DialAddress, { kind: "tls" }>,
  { identity, onOpen }: Opening,
): Socket {
  if (!identity) {
    throw fail("LINK_INSECURE", `This gateway has no key to show to the board server at ${host}.`);
  }
  const socket = connectTls({
    host: bareHost(host),
    port,
    key: identity.key,
    cert: identity.cert,
    // The key counts, below; nobody vouches for names.
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
    minVersion: "TLSv1.3",
  });
  socket.setNoDelay(true);
  socket.cork();
  endsUnlessOpen(socket, tlsMs);
  socket.once("secureConnect", () => {
    if (peerKeyOf(socket) !== publicKey) {
      socket.destroy(
        new Error(`the board server at ${host} has another key than it enrolled with`),
      );
      return;
    }
    socket.setTimeout(0);
    onOpen();
    socket.uncork();
  });
  return socket;
}
