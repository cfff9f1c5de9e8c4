import type { Conversion, ParsedModel, Plan, ToolStep } from "../engine";
import { convertScript, scriptPath } from "./convert-script";

/** The command that runs a script where TensorFlow and tf2onnx are installed. */
export const converter = "tf2onnx";

const limitS = 1800;
const conversion: Conversion = {
  rows: "rows.json",
  answers: "answers.json",
  model: "model.onnx",
};

/** What turns a SavedModel into ONNX while it is built; TensorFlow runs nowhere else, and only in the sandbox. */
export function planConversion({
  savedModel,
}: ParsedModel): Pick<Plan, "files" | "steps" | "products" | "conversion"> {
  if (!savedModel) throw new RangeError("An accepted SavedModel was read.");
  const { rows, answers, model } = conversion;
  const step: ToolStep = {
    kind: "tool",
    name: "conversion to ONNX",
    stage: "synthesise",
    command: converter,
    args: [scriptPath, savedModel.signature.name, rows, answers, model],
    timeoutS: limitS,
    reads: [scriptPath, rows, ...savedModel.files.keys()],
    produces: [answers, model],
  };
  return {
    files: new Map<string, string | Uint8Array>([[scriptPath, convertScript], ...savedModel.files]),
    steps: [step],
    products: [{ role: "model", path: model }],
    conversion,
  };
}
