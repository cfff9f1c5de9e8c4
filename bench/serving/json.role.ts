import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { classes, modelName, outputName, width } from "./model";

// What most servers do with JSON: parse all of it into objects, make an array of numbers, and stringify the answer.
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const [input] = JSON.parse(Buffer.concat(chunks).toString()).inputs;
    const rows = Float32Array.from(input.data).length / width;
    const data = Array.from(new Float32Array(rows * classes));
    const output = { name: outputName, shape: [rows, classes], datatype: "FP32", data };
    const text = JSON.stringify({ model_name: modelName, model_version: "1", outputs: [output] });
    response.writeHead(200, { "content-length": Buffer.byteLength(text) });
    response.end(text);
  });
});
server.listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on("disconnect", () => process.exit(0));
