import { fail } from "@/lib/common/errors";
import type { Options } from "./options";
import { softmaxType } from "./softmax-reach";

/**
 * Refuses options of a softmax that contradict each other, whatever the model is.
 *
 * @throws {AppError} `OPTION_INVALID`
 */
export function checkSoftmaxOptions({
  softmax,
  expprec,
  flow,
  dataType,
}: Pick<Options, "softmax" | "expprec" | "flow" | "dataType">): void {
  if (softmax === "host") {
    if (expprec === undefined) return;
    throw fail("OPTION_INVALID", "expprec is of softmax in hardware, and the host does it.", {
      field: "options.expprec",
      hint: "Choose softmax: hardware, or leave expprec out.",
    });
  }
  if (flow !== "neuralbond") {
    throw fail(
      "OPTION_INVALID",
      `Softmax in hardware is a neuron of neuralbond's, not of ${flow}.`,
      {
        field: "options.softmax",
        hint: "Choose flow: neuralbond, or leave softmax to the host.",
      },
    );
  }
  if (dataType !== "auto" && dataType !== softmaxType) {
    throw fail(
      "OPTION_INVALID",
      `Softmax in hardware computes in ${softmaxType}, not ${dataType}.`,
      {
        field: "options.softmax",
        hint: `Choose dataType: ${softmaxType} or auto, or leave softmax to the host.`,
      },
    );
  }
}
