import { fail, fromErrorData } from "@/lib/common/errors";
import type { Engine, ParsedModel, Plan, PlanRequest, Verdict } from "../engine";
import { refused } from "../verdict";
import { optionsSchema } from "./options";
import { planArchive } from "./plan-archive";
import { planBitstream } from "./plan-bitstream";
import { planTriple } from "./plan-triple";
import { firmwareFormats } from "./read-firmware";

export type { Archive } from "../firmware";
export { readArchivedArtifact } from "./archived-artifact";
export { describeFirmware, readFirmware } from "./read-firmware";

/** Firmware that was made elsewhere: kept as it is, on the board that it names. */
export const prebuiltEngine: Engine = {
  id: "prebuilt",
  title: "Prebuilt",
  summary: "Firmware made elsewhere: an artifact's archive, a bitstream, a BondMachine firmware.",
  kind: "fpga",
  proves: false,
  loads: ["boardwalk", "bondmachine"],
  formats: firmwareFormats,
  optionsSchema,
  tools: () => [],
  accepts,
  supports(board, kind): Verdict {
    if ((kind === "cpu") === (board.part.flow.kind === "cpu")) return { ok: true };
    return refused(
      fail("COMBINATION_UNSUPPORTED", `${board.name} is not a ${kind} board.`, {
        hint: "Choose the board that the firmware was made for.",
      }),
    );
  },
  plan,
  timing: () => ({ met: true, achievedMhz: null }),
  outcome: ({ forecast }) => ({ report: forecast, placement: null }),
};

function accepts({ format, firmware }: ParsedModel): Verdict {
  if (firmware) return { ok: true };
  return refused(
    fail("FORMAT_HAS_NO_ENGINE", `The prebuilt engine does not read ${format} files.`, {
      hint: "It takes finished firmware: choose an engine that builds from models.",
    }),
  );
}

function plan(request: PlanRequest): Plan {
  const verdict = accepts(request.model);
  if (!verdict.ok) throw fromErrorData(verdict.problem);
  const { firmware } = request.model;
  switch (firmware?.kind) {
    case "archive":
      return planArchive(firmware, request);
    case "bitstream":
      return planBitstream(firmware, request);
    case "bondmachine":
      return planTriple(firmware, request);
    case undefined:
      throw new RangeError("An accepted model has firmware.");
  }
}
