import type { Engine } from "../engine";
import { accepts } from "./accepts";
import { supports } from "./boards";
import { compiler, converter, formats } from "./conversion-step";
import { optionsSchema } from "./options";
import { plan } from "./plan";
import { vendorTool } from "./vendor";

/** hls4ml: Keras and QONNX models as C++ for high-level synthesis, whose emulation is served. */
export const hls4mlEngine: Engine = {
  id: "hls4ml",
  title: "hls4ml",
  summary:
    "Turns a Keras or QONNX model into hls4ml's C++ project, and serves what its firmware answers, bit for bit.",
  kind: "cpu",
  formats,
  optionsSchema,
  tools: () => [converter, compiler],
  vendorTools: ({ part }) =>
    part.flow.kind === "vivado" ? { title: vendorTool, commands: [] } : null,
  accepts,
  supports,
  plan,
  timing: () => ({ met: true, achievedMhz: null }),
  outcome: ({ forecast }) => ({ report: forecast, placement: null }),
};
