import type { BoardModel } from "@/boards";
import { type DenseLayer, denseFloats } from "@/compiler";
import type { BoardKind } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { ParsedModel, Verdict } from "../engine";
import { checkTensors, supportsFpga } from "../fpga/constraints";
import { refuseHgq } from "../refuse-hgq";
import { refused, verdictOf } from "../verdict";

/** What machines are known to be made of: more has been tried by nobody, and takes the tools hours. */
const limits = { processors: 512, fanIn: 256, layers: 64 } as const;

/** Whether a model can become a machine, before a board is chosen: dense layers in a row, with ReLU or nothing between. */
export function accepts({ format, graph }: ParsedModel): Verdict {
  if (graph) {
    return verdictOf(() => {
      refuseHgq("bondmachine", graph);
      checkTensors(graph);
      checkLayers(denseFloats({ graph, inputRange: null, calibration: null }).layers);
    });
  }
  return refused(
    fail("FORMAT_HAS_NO_ENGINE", `The bondmachine engine does not read ${format} files.`, {
      hint: "Export the model as ONNX.",
    }),
  );
}

function checkLayers(layers: readonly DenseLayer[]): void {
  const curved = layers.find(({ elementwise }) => elementwise !== undefined);
  if (curved) {
    const operator = curved.elementwise?.at(-1)?.operator ?? "a function";
    throw fail(
      "OPERATOR_UNSUPPORTED",
      `Layer ${curved.name} is followed by ${operator}; the neurons of a machine know ReLU, or nothing.`,
      { hint: "The boardwalk engine looks such functions up." },
    );
  }
  const broken = layers.find(({ weights, bias }) => ![...weights, ...bias].every(Number.isFinite));
  if (broken) {
    throw fail("MODEL_INVALID", `Layer ${broken.name} has weights that are no finite numbers.`);
  }
  const processors = layers.reduce((total, { outputSize }) => total + outputSize, 0);
  const wide = layers.find(({ inputSize }) => inputSize > limits.fanIn);
  if (wide) throw tooLarge(`layer ${wide.name} has ${wide.inputSize} inputs`, limits.fanIn);
  if (processors > limits.processors)
    throw tooLarge(`it has ${processors} neurons`, limits.processors);
  if (layers.length > limits.layers)
    throw tooLarge(`it has ${layers.length} layers`, limits.layers);
}

const tooLarge = (what: string, most: number) =>
  fail(
    "MODEL_TOO_LARGE",
    `The model is too large for a machine: ${what}, and ${most} are the most.`,
    {
      hint: "The boardwalk engine shares its arithmetic between neurons.",
    },
  );

/** Whether machines can be built for a board model, simulated or real. */
export const supports = (board: BoardModel, kind: BoardKind): Verdict =>
  supportsFpga("bondmachine", board, kind);
