import { fail } from "@/lib/common/errors";
import type { ParsedModel, Verdict } from "../engine";
import { verdictOf } from "../verdict";
import { formats } from "./conversion-step";

/** Every layer becomes C++, and every weight a number in it: a compiler must get through. */
const most = { nodes: 1000, weights: 100_000 } as const;

const few = (count: number) => count.toLocaleString("en-GB");

/** Whether hls4ml may take it, as far as a model tells without being run. What its layers come to, only hls4ml knows. */
export function accepts({ format, graph }: ParsedModel): Verdict {
  return verdictOf(() => {
    if (!graph || !formats.includes(format)) {
      throw fail("FORMAT_HAS_NO_ENGINE", `The hls4ml engine does not read ${format} files.`, {
        hint: "Save the model with model.save(), as .keras or .h5, or export it to ONNX or QONNX.",
      });
    }
    const { nodes, constants, inputs, outputs } = graph;
    const weights = [...constants.values()].reduce((sum, { values }) => sum + values.length, 0);
    const tooLarge = (what: string, limit: number) =>
      fail("MODEL_TOO_LARGE", `The model has ${what}; the hls4ml engine takes ${few(limit)}.`, {
        hint: "hls4ml writes each of them into C++ that a compiler must get through: prune the model, or use a CPU engine.",
      });
    if (nodes.length > most.nodes) throw tooLarge(`${few(nodes.length)} operators`, most.nodes);
    if (weights > most.weights) throw tooLarge(`${few(weights)} weights`, most.weights);
    const other = [...inputs, ...outputs].find(({ datatype }) => datatype !== "FP32");
    if (other) {
      throw fail(
        "MODEL_UNSUPPORTED",
        `Tensor ${other.name} is ${other.datatype}; the hls4ml engine takes and answers FP32.`,
      );
    }
    const free = inputs.find(({ shape }) => shape.slice(1).some((size) => size < 0));
    if (free) {
      throw fail(
        "MODEL_SHAPE_INVALID",
        `Input ${free.name} has a free dimension besides the batch, and firmware has none.`,
        { hint: "Fix its size where the model is made, and save it again." },
      );
    }
  });
}
