import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import {
  joinMessage,
  parseInferRequest,
  type Tensor,
  writeInferResponse,
} from "@/lib/common/tensor";
import { inferHeaders } from "@/lib/server/board-protocol";
import { classes, outputName } from "./model";

// A board server whose devices take as long for one row as for many, as hardware with a fixed cost per call does. The
// arguments are its socket, how many devices there are and the milliseconds of a call.
const [, , socket = "", devices = "1", costMs = "20"] = process.argv;
const turns = Array.from({ length: Number(devices) }, () => Promise.resolve());

const server = createServer(async (request, response) => {
  if (request.url === "/live") {
    response.end();
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const device = Number(/slt_(\d+)/.exec(request.url ?? "")?.[1] ?? 0);
  const headerLength = Number(request.headers["inference-header-content-length"]);
  const { inputs } = parseInferRequest(Buffer.concat(chunks), { headerLength });
  const [input] = inputs;
  const rows = input?.shape[0] ?? 1;
  // One call at a time on each device.
  const turn = (turns[device] ?? Promise.resolve()).then(() => sleep(Number(costMs)));
  turns[device] = turn;
  await turn;
  const output: Tensor = {
    name: outputName,
    datatype: "FP32",
    shape: [rows, classes],
    data: new Float32Array(rows * classes),
  };
  const { body, headerLength: length } = joinMessage(
    writeInferResponse(
      { modelName: "m", modelVersion: "", id: "", outputs: [output] },
      { outputs: [], binaryOutput: true },
    ),
  );
  response.writeHead(200, {
    "inference-header-content-length": length,
    "content-length": body.length,
    [inferHeaders.revision]: "rev_1",
    [inferHeaders.timing]: JSON.stringify({ computeNs: Number(costMs) * 1e6 }),
  });
  response.end(body);
});
server.keepAliveTimeout = 0;
server.listen(socket, () => process.send?.({ port: 0 }));
process.on("disconnect", () => process.exit(0));
