import { afterAll, beforeAll, expect, it } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import { callAt } from "@/tests/support/call";
import { startTestGateway } from "@/tests/support/gateway";
import { type FakeBoard, serve, standardModels, startFakeBoard } from "./fake-board";

// Bits that ONNX Runtime would not carry, through the gateway alone: the board is a fake that echoes.

let board: FakeBoard;
let gateway: Gateway;

beforeAll(async () => {
  board = await startFakeBoard();
  gateway = await startTestGateway(standardModels().map((model) => serve(board, model)));
});
afterAll(async () => {
  await gateway.close();
  await board.close();
});

function send(datatype: string, count: number, blob: Uint8Array, binaryOutput: boolean) {
  const head = Buffer.from(
    JSON.stringify({
      inputs: [
        { name: "x", shape: [count], datatype, parameters: { binary_data_size: blob.length } },
      ],
      parameters: { binary_data_output: binaryOutput },
    }),
  );
  return callAt(gateway.httpPort, `/v2/models/echo_${datatype.toLowerCase()}/infer`, {
    body: Buffer.concat([head, blob]),
    headers: { "inference-header-content-length": String(head.length) },
  });
}

it("27 refuses BYTES that are no text as JSON, and sends them as a blob", async () => {
  const bytes = Uint8Array.of(1, 0, 0, 0, 0xff);
  const asJson = await send("BYTES", 1, bytes, false);
  expect([asJson.status, asJson.json.error]).toEqual([400, expect.stringContaining("binary_data")]);
  const asBlob = await send("BYTES", 1, bytes, true);
  expect([...asBlob.bytes.subarray(-5)]).toEqual([...bytes]);
});

it("47 carries every pattern of BF16, NaNs included", async () => {
  const bytes = Buffer.alloc(2 * 65_536);
  for (let bits = 0; bits < 65_536; bits++) bytes.writeUInt16LE(bits, 2 * bits);
  const answer = await send("BF16", 65_536, bytes, true);
  expect(answer.bytes.subarray(-bytes.length).equals(bytes)).toBe(true);
});
