import { type BoardModel, findFamily } from "@/boards";
import { readOutputs } from "@/compiler";
import type { BoardKind } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { ParsedModel, Verdict } from "../engine";
import { refused, verdictOf } from "../verdict";
import { linkOf } from "./link";

const inputTypes: ReadonlySet<string> = new Set(
  "FP32 FP64 BOOL INT8 INT16 INT32 INT64 UINT8 UINT16 UINT32 UINT64".split(" "),
);
const scoreTypes: ReadonlySet<string> = new Set(["FP32", "FP64"]);

/** Whether the compiler can take a model, before a board is chosen. */
export function accepts({ format, graph }: ParsedModel): Verdict {
  if (!graph) {
    return refused(
      fail("FORMAT_HAS_NO_ENGINE", `The boardwalk engine does not read ${format} files yet.`, {
        hint: "Export the model as ONNX.",
      }),
    );
  }
  return verdictOf(() => {
    for (const { name, datatype } of graph.inputs) {
      if (!inputTypes.has(datatype)) {
        throw fail(
          "MODEL_UNSUPPORTED",
          `Input "${name}" is ${datatype}; FPGA boards take numbers.`,
          {
            hint: "Use a CPU board, with the engine of the model's own make.",
          },
        );
      }
    }
    for (const { spec, activation } of readOutputs(graph)) {
      if (activation === "argmax" || scoreTypes.has(spec.datatype)) continue;
      throw fail("MODEL_UNSUPPORTED", `Output "${spec.name}" is ${spec.datatype}, not FP32.`, {
        hint: "Use a CPU board, with the engine of the model's own make.",
      });
    }
  });
}

/** Whether designs can be built for a board model, simulated or real. */
export function supports(board: BoardModel, kind: BoardKind): Verdict {
  const { flow } = board.part;
  const link = linkOf(board);
  const reachable = kind === "simulated" || link?.kind === "uart";
  if (kind !== "cpu" && findFamily(board.part) && link && reachable) return { ok: true };
  const why =
    flow.kind === "cpu" || kind === "cpu"
      ? "It is a CPU board, which runs the model itself."
      : "A board server speaks with real boards over a serial line, and this one has none.";
  return refused(
    fail("COMBINATION_UNSUPPORTED", `Engine boardwalk cannot build for ${board.name}: ${why}`, {
      hint:
        flow.kind === "cpu" || kind === "cpu"
          ? "Choose the onnx engine, or an FPGA board."
          : `Deploy on a simulated ${board.name}: its build has the whole project for the vendor's tool.`,
    }),
  );
}
