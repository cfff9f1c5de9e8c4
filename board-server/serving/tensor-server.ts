import { chmod, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { fail, toAppError } from "@/lib/common/errors";
import type { Tensor } from "@/lib/common/tensor";
import {
  type AnsweredCall,
  type AnsweredStream,
  type AskedCall,
  answerCalls,
  type TensorAddress,
} from "@/lib/server/board-protocol";
import { OwnerGuard, portOf } from "@/lib/server/http";
import { logger } from "@/lib/server/logger";
import type { Slots } from "../slots";

/** Where to listen: a socket's path, or a TCP address; port 0 is any that is free. */
export type ListenAddress =
  | { readonly kind: "unix"; readonly path: string }
  | { readonly kind: "tcp"; readonly host: string; readonly port: number };

/** A running server of tensors. */
export interface TensorServer {
  /** Where the gateway reaches it. */
  readonly address: TensorAddress;
  close(): Promise<void>;
}

/** Answers calls of all slots, in frames on connections that the gateway of this host keeps. */
export async function startTensorServer(
  slots: () => Slots,
  listen: ListenAddress,
): Promise<TensorServer> {
  const owner = new OwnerGuard();
  const open = new Set<AnsweredStream>();
  const greet = async (socket: Socket): Promise<void> => {
    socket.on("error", () => {});
    // A Unix socket's file is the owner's alone. Over TCP only the gateway calls, which runs as the same user.
    const isOther =
      listen.kind === "tcp" && (await owner.identify({ socket, headers: {} })) === "other";
    if (isOther || !server.listening) socket.destroy();
    if (socket.destroyed) return;
    const calls = answerCalls(socket, (call, inputs, signal) =>
      inferIn(slots(), call, { inputs, signal }),
    );
    open.add(calls);
    socket.once("close", () => open.delete(calls));
  };
  const server = createServer({ noDelay: true }, (socket) => void greet(socket));
  if (listen.kind === "unix") await rm(listen.path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    if (listen.kind === "unix") server.listen(listen.path, resolve);
    else server.listen(listen.port, listen.host, resolve);
  });
  if (listen.kind === "unix") await chmod(listen.path, 0o600);
  return {
    address:
      listen.kind === "unix" ? listen : { kind: "tcp", host: listen.host, port: portOf(server) },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const calls of open) calls.close();
      }),
  };
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
