import { constants } from "node:crypto";
import { chmod, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { fail, toAppError } from "@/lib/common/errors";
import type { Tensor } from "@/lib/common/tensor";
import {
  type AnsweredCall,
  type AnsweredStream,
  type AskedCall,
  answerCalls,
  peerKeyOf,
  type TensorAddress,
  type TlsIdentity,
} from "@/lib/server/board-protocol";
import { OwnerGuard, portOf } from "@/lib/server/http";
import { logger } from "@/lib/server/logger";
import type { Slots } from "../slots";

/** Where to listen: a socket's path, or a TCP address; port 0 is any that is free. */
export type ListenAddress =
  | { readonly kind: "unix"; readonly path: string }
  | { readonly kind: "tcp"; readonly host: string; readonly port: number }
  /** For other hosts; `reachedAt`: the name or address under which they find `host`. */
  | {
      readonly kind: "tls";
      readonly host: string;
      readonly port: number;
      readonly reachedAt: string;
    };

/** Who this server is for gateways of other hosts, and which of them may call. */
export interface Remote {
  readonly identity: TlsIdentity;
  /** @param publicKey Ed25519, base64 of the raw 32 bytes. */
  admits(publicKey: string): boolean;
}

const handshakeMs = 10_000;
/** Gateways have one connection for calls and one for pings. */
const mostRemoteConnections = 256;

/** A running server of tensors. */
export interface TensorServer {
  /** Where the gateway reaches it. */
  readonly address: TensorAddress;
  close(): Promise<void>;
}

/**
 * Answers calls of all slots, in frames on connections that gateways keep. Those of this host call in the clear, those of other
 * hosts under TLS, and both sides show keys that the other knows.
 *
 * @param remote Needed where it listens for other hosts.
 */
export async function startTensorServer(
  slots: () => Slots,
  listen: ListenAddress,
  remote: Remote | null = null,
): Promise<TensorServer> {
  const owner = new OwnerGuard();
  const open = new Set<AnsweredStream>();
  const greet = async (socket: Socket): Promise<void> => {
    socket.on("error", () => {});
    if (!(await isWelcome(socket)) || !server.listening) socket.destroy();
    if (socket.destroyed) return;
    const calls = answerCalls(socket, (call, inputs, signal) =>
      inferIn(slots(), call, { inputs, signal }),
    );
    open.add(calls);
    socket.once("close", () => open.delete(calls));
  };
  const isWelcome = async (socket: Socket): Promise<boolean> => {
    if (listen.kind === "tls") return isAdmitted(socket as TLSSocket, remote);
    // A Unix socket's file is the owner's alone. Over TCP only the gateway calls, which runs as the same user.
    return listen.kind === "unix" || (await owner.identify({ socket, headers: {} })) !== "other";
  };
  const server =
    listen.kind === "tls"
      ? remoteServer(remote, (socket) => void greet(socket))
      : createServer({ noDelay: true }, (socket) => void greet(socket));
  if (listen.kind === "unix") await rm(listen.path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    if (listen.kind === "unix") server.listen(listen.path, resolve);
    else server.listen(listen.port, listen.host, resolve);
  });
  if (listen.kind === "unix") await chmod(listen.path, 0o600);
  return {
    address: addressOf(listen, server),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const calls of open) void calls.close();
      }),
  };
}

function addressOf(listen: ListenAddress, server: Server): TensorAddress {
  if (listen.kind === "unix") return listen;
  const { kind } = listen;
  const host = kind === "tls" ? listen.reachedAt : listen.host;
  return { kind, host, port: portOf(server) };
}

function remoteServer(remote: Remote | null, onConnection: (socket: TLSSocket) => void): Server {
  if (!remote) throw new Error("a server for other hosts needs a key");
  const { key, cert } = remote.identity;
  const server = createTlsServer({
    key,
    cert,
    // Asked for, and judged by its key alone.
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: "TLSv1.3",
    // A resumed connection would show no key.
    secureOptions: constants.SSL_OP_NO_TICKET,
    handshakeTimeout: handshakeMs,
    noDelay: true,
  });
  server.maxConnections = mostRemoteConnections;
  server.on("secureConnection", onConnection);
  return server;
}

function isAdmitted(socket: TLSSocket, remote: Remote | null): boolean {
  const key = peerKeyOf(socket);
  if (key !== null && remote?.admits(key)) return true;
  logger().warn(
    { peer: socket.remoteAddress, key },
    "a connection was refused: it is of no gateway of this installation",
  );
  return false;
}

async function inferIn(
  slots: Slots,
  { slotId, revisionId: wanted, slotEpoch, waitMs }: AskedCall,
  { inputs, signal }: { readonly inputs: readonly Tensor[]; readonly signal: AbortSignal },
): Promise<AnsweredCall> {
  try {
    const slot = slots.find(slotId);
    if (!slot) throw fail("REVISION_MISMATCH", `Slot ${slotId} is not on this server.`);
    const { revisionId, outputs, clipped, timing, memoryBytes, direct } = await slot.infer({
      revisionId: wanted,
      slotEpoch,
      waitMs,
      inputs,
      signal,
    });
    return { revisionId, outputs, timing, clipped: clipped ?? undefined, memoryBytes, direct };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.reason === "INTERNAL") logger().error({ err: thrown }, "inference failed");
    throw error;
  }
}
