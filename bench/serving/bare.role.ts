import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { classes, inputName, modelName, modelPath, outputName, width } from "./model";

// The same net in a Node server that checks nothing: what the protocol and its checks cost is the difference to it.
const session = await InferenceSession.create(modelPath, {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
});
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", async () => {
    const body = Buffer.concat(chunks);
    const headerLength = request.headers["inference-header-content-length"];
    const values =
      headerLength === undefined
        ? Float32Array.from(JSON.parse(body.toString()).inputs[0].data)
        : new Float32Array(
            body.buffer.slice(
              body.byteOffset + Number(headerLength),
              body.byteOffset + body.length,
            ),
          );
    const feeds = { [inputName]: new Tensor("float32", values, [values.length / width, width]) };
    const scores = (await session.run(feeds))[outputName]?.data as Float32Array;
    const head = { model_name: modelName, model_version: "1", id: "1" };
    const output = {
      name: outputName,
      shape: [scores.length / classes, classes],
      datatype: "FP32",
    };
    if (headerLength === undefined) {
      const text = JSON.stringify({ ...head, outputs: [{ ...output, data: [...scores] }] });
      response.writeHead(200, { "content-length": Buffer.byteLength(text) });
      response.end(text);
      return;
    }
    const parameters = { binary_data_size: scores.byteLength };
    const text = Buffer.from(JSON.stringify({ ...head, outputs: [{ ...output, parameters }] }));
    const blob = Buffer.from(scores.buffer, scores.byteOffset, scores.byteLength);
    response.writeHead(200, {
      "content-length": text.length + blob.length,
      "inference-header-content-length": text.length,
    });
    response.end(Buffer.concat([text, blob]));
  });
});
server.listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on("disconnect", () => process.exit(0));
