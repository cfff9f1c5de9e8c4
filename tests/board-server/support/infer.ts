import { Agent, request } from "undici";
import {
  joinMessage,
  parseInferResponse,
  type Tensor,
  writeInferRequest,
} from "@/lib/common/tensor";

/** Asks the first slot of a board server for rows of five values. @param socket Where it listens. */
export async function inferRow(socket: string, row: readonly number[]) {
  const dispatcher = new Agent({ connect: { socketPath: socket } });
  const input: Tensor = {
    name: "x",
    datatype: "FP32",
    shape: [row.length / 5, 5],
    data: Float32Array.from(row),
  };
  const { body, headerLength } = joinMessage(writeInferRequest("r", [[input]]));
  try {
    const answer = await request("http://localhost/slots/slt_1/infer", {
      dispatcher,
      method: "POST",
      body,
      headers: {
        "inference-header-content-length": String(headerLength),
        "x-bw-revision": "rev_1",
        "x-bw-slot-epoch": "1",
      },
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const length = Number(answer.headers["inference-header-content-length"]);
    const isGood = answer.statusCode === 200;
    const [output] = isGood ? parseInferResponse(bytes, { headerLength: length }) : [];
    return {
      status: answer.statusCode,
      values: [...((output?.data as Float32Array | undefined) ?? [])],
      timing: isGood ? JSON.parse(String(answer.headers["x-bw-timing"])) : null,
    };
  } finally {
    await dispatcher.close();
  }
}
