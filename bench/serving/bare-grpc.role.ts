import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { classes, inputName, modelName, modelPath, outputName, width } from "./model";

// The same net in a Node server on HTTP/2 that checks nothing and knows one call.
const session = await InferenceSession.create(modelPath, {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
});
const prefixBytes = 5;
const rawInputContents = 7;
const server = createServer();
server.on("stream", (stream) => {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  stream.on("end", async () => {
    const values = rawOf(Buffer.concat(chunks).subarray(prefixBytes));
    const feeds = { [inputName]: new Tensor("float32", values, [values.length / width, width]) };
    const scores = (await session.run(feeds))[outputName]?.data as Float32Array;
    const message = answerOf(scores);
    const head = Buffer.alloc(prefixBytes);
    head.writeUInt32BE(message.length, 1);
    stream.respond(
      { ":status": 200, "content-type": "application/grpc" },
      { waitForTrailers: true },
    );
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.end(Buffer.concat([head, message]));
  });
});
server.listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on("disconnect", () => process.exit(0));

function rawOf(message: Uint8Array): Float32Array {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    // Bytes of a pool, which `slice` would not copy.
    if (field === rawInputContents) return new Float32Array(Uint8Array.from(reader.bytes()).buffer);
    reader.skip(type);
  }
  return new Float32Array();
}

function answerOf(scores: Float32Array): Uint8Array {
  const writer = new BinaryWriter();
  const text = (field: number, value: string) =>
    writer.tag(field, WireType.LengthDelimited).string(value);
  text(1, modelName);
  text(2, "1");
  text(3, "1");
  writer.tag(5, WireType.LengthDelimited).fork();
  text(1, outputName);
  text(2, "FP32");
  writer.tag(3, WireType.LengthDelimited).fork();
  writer
    .int64(scores.length / classes)
    .int64(classes)
    .join();
  writer.join();
  const blob = new Uint8Array(scores.buffer, scores.byteOffset, scores.byteLength);
  return writer.tag(6, WireType.LengthDelimited).bytes(blob).finish();
}
