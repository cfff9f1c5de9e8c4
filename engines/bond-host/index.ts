import type { Engine } from "../engine";
import { accepts, supports } from "./constraints";
import { judge, judgeTask } from "./judge";
import { optionsSchema } from "./options";
import { hostCommand, plan } from "./plan";
import { formats } from "./toolkits";

/** BondMachine's original build server: it makes a firmware of a network that lies in its own store. */
export const bondHostEngine: Engine = {
  id: "bond-host",
  title: "BondMachine build server",
  summary:
    "Has a build server of BondMachine's original system make the firmware; nothing of it is proven here.",
  kind: "fpga",
  proves: false,
  loads: ["bondmachine"],
  formats,
  optionsSchema,
  tools: () => [hostCommand],
  accepts,
  supports,
  plan,
  derive: { [judgeTask]: judge },
  timing: () => ({ met: true, achievedMhz: null }),
  outcome: ({ forecast }) => ({ report: forecast, placement: null }),
};
