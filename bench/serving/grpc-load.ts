import { connect, type Socket } from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { ModelInferRequestSchema } from "@/proto/inference/generated/inference_pb";
import {
  callHeaders,
  flags,
  frame,
  frameHeadBytes,
  frames,
  initialWindow,
  isOk,
  maxFrameBytes,
  opening,
  prefixBytes,
  prefixed,
  windowUpdate,
} from "./grpc-frames";
import { type Measure, measureOf } from "./measure";

export interface GrpcLoad {
  readonly port: number;
  /** A `ModelInferRequest`; with its prefix no longer than the window that a stream begins with. */
  readonly message: Uint8Array;
  readonly clients: number;
  readonly seconds: number;
}

/** Clients share a connection, as callers of one process do. */
const clientsOfConnection = 16;
export const inferPath = "/inference.GRPCInferenceService/ModelInfer";
const { first, later } = callHeaders(inferPath);
const none = Buffer.alloc(0);
/** Where a frame says its stream. */
const streamPlace = 5;
/** The server may send so much more before it is told again. */
const toldBytes = 2 ** 29;

/**
 * Sends the same `ModelInfer` again and again from so many clients, the next when the answer has come. Written on bare
 * sockets: a client that makes objects of calls and headers costs more than the server that is measured.
 */
export async function loadGrpc({ port, message, clients, seconds }: GrpcLoad): Promise<Measure> {
  const took: number[] = [];
  const startMs = performance.now();
  const endMs = startMs + seconds * 1000;
  const connections: Promise<void>[] = [];
  for (let left = clients; left > 0; left -= clientsOfConnection) {
    const share = Math.min(left, clientsOfConnection);
    connections.push(call(connect(port, "127.0.0.1"), { message, clients: share, endMs }, took));
  }
  await Promise.all(connections);
  return measureOf(took, performance.now() - startMs);
}

interface Calls {
  readonly message: Uint8Array;
  readonly clients: number;
  readonly endMs: number;
}

/** Frames that leave together: headers and data, or more data. Their stream is yet to be filled in. */
interface Piece {
  readonly bytes: Buffer;
  readonly bodyBytes: number;
  /** Where the number of the stream goes. */
  readonly streamAt: readonly number[];
}

/** A call cut into what may be sent at a time. */
function piecesOf(headers: Buffer, body: Buffer): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < body.length; at += maxFrameBytes) {
    const part = body.subarray(at, at + maxFrameBytes);
    const isLast = at + maxFrameBytes >= body.length;
    const data = frame(frames.data, isLast ? flags.endStream : 0, 0, part);
    const before = at === 0 ? frame(frames.headers, flags.endHeaders, 0, headers) : none;
    pieces.push({
      bytes: Buffer.concat([before, data]),
      bodyBytes: part.length,
      streamAt: [...(at === 0 ? [streamPlace] : []), before.length + streamPlace],
    });
  }
  return pieces;
}

/** Keeps so many calls under way on a connection. */
function call(socket: Socket, { message, clients, endMs }: Calls, took: number[]): Promise<void> {
  const body = prefixed(message);
  if (body.length > initialWindow) throw new Error("the message is too large for this load");
  const [firstCall, laterCall] = [piecesOf(first, body), piecesOf(later, body)];
  const underWay = new Map<number, { readonly sentMs: number; bytes: number }>();
  let stream = -1;
  let window = initialWindow;
  let untoldBytes = 0;
  let idle = clients;
  let pieces: readonly Piece[] = [];
  /** Pieces of the latest call that were sent. */
  let sent = 0;
  let pending: Buffer = none;
  let out: Buffer[] = [opening()];

  const start = (): void => {
    while (sent < pieces.length || idle > 0) {
      if (sent === pieces.length) {
        stream += 2;
        idle--;
        pieces = stream === 1 ? firstCall : laterCall;
        sent = 0;
      }
      const piece = pieces[sent];
      if (!piece || piece.bodyBytes > window) return;
      if (sent === 0) underWay.set(stream, { sentMs: performance.now(), bytes: 0 });
      const bytes = Buffer.from(piece.bytes);
      for (const at of piece.streamAt) bytes.writeUInt32BE(stream, at);
      out.push(bytes);
      window -= piece.bodyBytes;
      sent++;
    }
  };
  const end = (id: number): void => {
    const answer = underWay.get(id);
    if (!answer || answer.bytes <= prefixBytes) throw new Error("an answer was empty");
    underWay.delete(id);
    const nowMs = performance.now();
    took.push(nowMs - answer.sentMs);
    if (nowMs < endMs) idle++;
  };
  const read = (type: number, flag: number, id: number, payload: Buffer): void => {
    if (type === frames.data) {
      const answer = underWay.get(id);
      if (answer) answer.bytes += payload.length;
      untoldBytes += payload.length;
      if (untoldBytes < toldBytes) return;
      out.push(windowUpdate(untoldBytes));
      untoldBytes = 0;
    } else if (type === frames.headers) {
      if ((flag & flags.endStream) === 0) return;
      if (!isOk(payload)) throw new Error(`a call failed: ${payload.toString("hex")}`);
      end(id);
    } else if (type === frames.windowUpdate) {
      if (id === 0) window += payload.readUInt32BE();
    } else if (type === frames.settings || type === frames.ping) {
      if (flag & flags.acknowledged) return;
      out.push(frame(type, flags.acknowledged, 0, type === frames.ping ? payload : none));
    } else if (type === frames.reset || type === frames.goAway) {
      throw new Error(`the server ended the call: ${payload.toString("hex")}`);
    }
  };
  const readAll = (): void => {
    let at = 0;
    while (pending.length - at >= frameHeadBytes) {
      const next = at + frameHeadBytes + pending.readUIntBE(at, 3);
      if (next > pending.length) break;
      const payload = pending.subarray(at + frameHeadBytes, next);
      read(pending[at + 3] ?? 0, pending[at + 4] ?? 0, pending.readUInt32BE(at + 5), payload);
      at = next;
    }
    pending = at === pending.length ? none : pending.subarray(at);
  };

  return new Promise((resolve, reject) => {
    const flush = (): void => {
      start();
      if (out.length > 0) socket.write(out.length === 1 ? (out[0] ?? none) : Buffer.concat(out));
      out = [];
      if (underWay.size > 0 || sent < pieces.length) return;
      socket.destroy();
      resolve();
    };
    socket.setNoDelay(true);
    socket.on("connect", flush);
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the server closed the connection")));
    socket.on("data", (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      try {
        readAll();
        flush();
      } catch (error) {
        reject(error);
        socket.destroy();
      }
    });
  });
}

/** The request of one row, or of several of a width, its values raw. */
export function grpcRequestOf(
  name: string,
  inputName: string,
  row: readonly number[],
  width = row.length,
): Uint8Array {
  const shape = [BigInt(row.length / width), BigInt(width)];
  return toBinary(
    ModelInferRequestSchema,
    create(ModelInferRequestSchema, {
      modelName: name,
      id: "1",
      inputs: [{ name: inputName, datatype: "FP32", shape }],
      rawInputContents: [new Uint8Array(Float32Array.from(row).buffer)],
    }),
  );
}
