import { createServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { collectSeldom } from "@/lib/server/process";
import { transportCall } from "./transport-call";

// gRPC in the fewest words over the streams of `node:http2`: no deadline, no limit, no check; the argument names the call.
collectSeldom();
const { answer } = transportCall(process.argv[2] ?? "");
const prefixBytes = 5;
const headers = { ":status": 200, "content-type": "application/grpc" };
// Without a date, which ours does not send either.
const answering = { waitForTrailers: true, sendDate: false };
const trailers = { "grpc-status": "0" };
// Windows as ours are, so that no caller waits for room.
const connectionWindowBytes = 16 * 2 ** 20;
const server = createServer({
  settings: { initialWindowSize: 4 * 2 ** 20, maxConcurrentStreams: 1000, enablePush: false },
  maxSessionMemory: 1000,
});
server.on("connection", (socket) => socket.setNoDelay(true));
server.on("session", (session) => session.setLocalWindowSize(connectionWindowBytes));
server.on("stream", (stream) => {
  const pieces: Buffer[] = [];
  stream.on("data", (piece: Buffer) => pieces.push(piece));
  stream.on("end", () => end(stream, pieces));
  stream.on("wantTrailers", () => stream.sendTrailers(trailers));
});
server.listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on("disconnect", () => process.exit(0));

function end(stream: ServerHttp2Stream, pieces: readonly Buffer[]): void {
  const [only] = pieces;
  const body = pieces.length === 1 && only ? only : Buffer.concat(pieces);
  const message = answer(body.subarray(prefixBytes));
  const bytes = Buffer.allocUnsafe(prefixBytes + message.length);
  bytes[0] = 0;
  bytes.writeUInt32BE(message.length, 1);
  bytes.set(message, prefixBytes);
  stream.respond(headers, answering);
  stream.end(bytes);
}
