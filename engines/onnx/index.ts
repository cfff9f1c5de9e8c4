import { z } from "zod";
import type { Engine } from "../engine";
import { accepts, supports } from "./constraints";
import { plan } from "./plan";

/** ONNX Runtime on a CPU board: any model, as it is. */
export const onnxEngine: Engine = {
  id: "onnx",
  title: "ONNX Runtime",
  summary: "Serves an ONNX model as it is, in floating point, on the processor of a board server.",
  kind: "cpu",
  formats: ["onnx"],
  optionsSchema: z.strictObject({}),
  accepts,
  supports,
  plan,
  timing: () => ({ met: true, achievedMhz: 0 }),
  report: ({ forecast }) => forecast,
};
