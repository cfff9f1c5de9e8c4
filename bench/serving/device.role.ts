import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Tensor } from "@/lib/common/tensor";
import { answerCalls } from "@/lib/server/board-protocol";
import { classes, outputName } from "./model";

// A board server whose devices take as long for one row as for many, as hardware with a fixed cost per call does. The
// arguments are its socket, how many devices there are and the milliseconds of a call.
const [, , socket = "", devices = "1", costMs = "20"] = process.argv;
const turns = Array.from({ length: Number(devices) }, () => Promise.resolve());

const server = createServer((connection) => {
  answerCalls(connection, async ({ slotId, revisionId }, [input]) => {
    const device = Number(/slt_(\d+)/.exec(slotId)?.[1] ?? 0);
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
    return { revisionId, outputs: [output], timing: { computeNs: Number(costMs) * 1e6 } };
  });
});
server.listen(socket, () => process.send?.({ port: 0 }));
process.on("disconnect", () => process.exit(0));
