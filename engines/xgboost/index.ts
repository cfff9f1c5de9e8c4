import { z } from "zod";
import type { Engine } from "../engine";
import { accepts, supports } from "./constraints";
import { plan } from "./plan";

/** XGBoost on a CPU board: its trees become an ONNX tree ensemble once, when the artifact is built. */
export const xgboostEngine: Engine = {
  id: "xgboost",
  title: "XGBoost",
  summary:
    "Serves boosted trees and linear boosters, in floating point, on the processor of a board server.",
  kind: "cpu",
  formats: ["xgboost-json", "xgboost-ubj"],
  optionsSchema: z.strictObject({}),
  accepts,
  supports,
  plan,
  timing: () => ({ met: true, achievedMhz: 0 }),
  report: ({ forecast }) => forecast,
};
