import { Server, ServerCredentials } from "@grpc/grpc-js";
import { collectSeldom } from "@/lib/server/process";
import { inferPath } from "./grpc-load";
import { transportCall } from "./transport-call";

// The server of `@grpc/grpc-js`, its messages left as bytes; the argument names the call.
collectSeldom();
const { answer } = transportCall(process.argv[2] ?? "");
const asIs = (bytes: Buffer) => bytes;
const server = new Server({ "grpc.enable_channelz": 0, "grpc.max_concurrent_streams": 1000 });
server.register<Buffer, Buffer>(
  inferPath,
  (call: { readonly request: Buffer }, callback: (error: null, value: Buffer) => void) => {
    const { buffer, byteOffset, byteLength } = answer(call.request);
    callback(null, Buffer.from(buffer, byteOffset, byteLength));
  },
  asIs,
  asIs,
  "unary",
);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.send?.({ port });
});
process.on("disconnect", () => process.exit(0));
