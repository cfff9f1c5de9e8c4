import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identityOnnx } from "@/tests/support/onnx";
import { loadHttp, requestsOf } from "./serving/http-load";
import { startRole, stopRoles } from "./serving/roles";

/**
 * One request of 150,000 FP32 values and an answer of as many: as a blob and as JSON through the gateway and its board
 * server, whose model gives back what it is given, and as JSON to a bare server that parses and stringifies.
 */
const rows = 9375;
const width = 16;
const modelName = "echo";
const [inputName, outputName] = ["x", "y"];
const seconds = Number(process.env["BENCH_SECONDS"] ?? 5);
const folder = mkdtempSync(join(tmpdir(), "bw-bin-"));
const socket = join(folder, "s");
const path = join(folder, "echo.onnx");
writeFileSync(path, identityOnnx("FP32", [-1, width]));
const echo = JSON.stringify({
  path,
  name: modelName,
  input: { name: inputName, row: [width] },
  output: { name: outputName, row: [width] },
});
const board = await startRole("board", [socket, String(rows), echo]);
const gateway = await startRole("gateway", [socket, String(rows), "1", echo]);
const parser = await startRole("json");
try {
  const values = Array.from({ length: rows * width }, (_, i) => Math.fround(Math.sin(i) * 100));
  const [json, binary] = requestsOf(modelName, inputName, values, [width]);
  const medianMs = async (request: typeof json, port: number) => {
    if (!request) throw new Error("there is no request");
    await loadHttp({ ...request, port, clients: 1, seconds: 2 });
    return (await loadHttp({ ...request, port, clients: 1, seconds })).p50Ms;
  };
  const [blobMs, jsonMs, bareMs] = [
    await medianMs(binary, gateway.port),
    await medianMs(json, gateway.port),
    await medianMs(json, parser.port),
  ];
  console.log(`150,000 values as a blob:          ${blobMs.toFixed(2)} ms`);
  console.log(
    `150,000 values as JSON:            ${jsonMs.toFixed(2)} ms, ratio ${(jsonMs / blobMs).toFixed(1)}`,
  );
  console.log(
    `JSON.parse and stringify, no check: ${bareMs.toFixed(2)} ms, ratio to our JSON ${(bareMs / jsonMs).toFixed(2)}, to the blob ${(bareMs / blobMs).toFixed(1)}`,
  );
} finally {
  await stopRoles([gateway, board, parser]);
  rmSync(folder, { recursive: true, force: true });
}
