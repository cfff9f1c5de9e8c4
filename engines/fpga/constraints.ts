import { type BoardModel, findFamily } from "@/boards";
import { type Graph, readOutputs } from "@/compiler";
import type { BoardKind } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { Verdict } from "../engine";
import { refused } from "../verdict";
import { linkOf } from "./link";

const inputTypes: ReadonlySet<string> = new Set(
  "FP32 FP64 BOOL INT8 INT16 INT32 INT64 UINT8 UINT16 UINT32 UINT64".split(" "),
);
const scoreTypes: ReadonlySet<string> = new Set(["FP32", "FP64"]);
const elsewhere = { hint: "Use a CPU board, with the engine of the model's own make." };

/** Refuses tensors that no core has at its edge. @throws {AppError} `MODEL_UNSUPPORTED`, and what `readOutputs` refuses. */
export function checkTensors(graph: Graph): void {
  for (const { name, datatype } of graph.inputs) {
    if (inputTypes.has(datatype)) continue;
    const why = `Input "${name}" is ${datatype}; FPGA boards take numbers.`;
    throw fail("MODEL_UNSUPPORTED", why, elsewhere);
  }
  for (const { spec, activation } of readOutputs(graph)) {
    if (activation === "argmax" || scoreTypes.has(spec.datatype)) continue;
    const why = `Output "${spec.name}" is ${spec.datatype}, not FP32.`;
    throw fail("MODEL_UNSUPPORTED", why, elsewhere);
  }
}

/** Whether an engine's designs can be built for a board model, simulated or real. */
export function supportsFpga(engine: string, board: BoardModel, kind: BoardKind): Verdict {
  const { flow } = board.part;
  const link = linkOf(board);
  const isCard = board.links[0]?.kind === "pcie";
  const reachable = kind === "simulated" || !isCard;
  if (kind !== "cpu" && findFamily(board.part) && link && reachable) return { ok: true };
  const isCpu = flow.kind === "cpu" || kind === "cpu";
  const why = isCpu
    ? "It is a CPU board, which runs the model itself."
    : "Vitis, which links for hours, makes its firmware, and Boardwalk does not run it.";
  return refused(
    fail("COMBINATION_UNSUPPORTED", `Engine ${engine} cannot build for ${board.name}: ${why}`, {
      hint: isCpu
        ? "Choose the onnx engine, or an FPGA board."
        : `Deploy on a simulated ${board.name}: its build has the whole project for the vendor's tool. Deploy what that makes by its URL, with the engine prebuilt.`,
    }),
  );
}
