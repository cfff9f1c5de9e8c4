import type { Engine } from "../engine";
import { accepts, formats, supports } from "./constraints";
import { optionsSchema } from "./options";
import { compiler, converter, plan, vendorTool } from "./plan";
import { presets } from "./presets";

/** conifer: boosted trees and forests as C++ for high-level synthesis, whose emulation is served. */
export const coniferEngine: Engine = {
  id: "conifer",
  title: "conifer",
  summary:
    "Turns boosted trees and forests into conifer's C++ project, and serves what its firmware answers, bit for bit.",
  kind: "cpu",
  formats,
  optionsSchema,
  presets,
  tools: () => [converter, compiler],
  vendorTools: ({ part }) =>
    part.flow.kind === "vivado" ? { title: vendorTool, commands: [] } : null,
  accepts,
  supports,
  plan,
  timing: () => ({ met: true, achievedMhz: null }),
  outcome: ({ forecast }) => ({ report: forecast, placement: null }),
};
