import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { modelName, outputName } from "./model";

// What most servers do with JSON: parse all of it into objects, make an array of numbers, and stringify the answer: here
// the numbers that came.
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const [input] = JSON.parse(Buffer.concat(chunks).toString()).inputs;
    const data = Array.from(Float32Array.from(input.data));
    const output = { name: outputName, shape: input.shape, datatype: "FP32", data };
    const text = JSON.stringify({ model_name: modelName, model_version: "1", outputs: [output] });
    response.writeHead(200, { "content-length": Buffer.byteLength(text) });
    response.end(text);
  });
});
server.listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on("disconnect", () => process.exit(0));
