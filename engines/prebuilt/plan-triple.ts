import { canonicalJson, type FileRole, type Manifest, type Origin } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { Plan, PlanRequest } from "../engine";
import type { LegacyTriple } from "../firmware";
import { filesOf, finishedPlan } from "./finished-plan";
import { requirePart } from "./plan-bitstream";

const origin: Origin = { kind: "bondmachine", proof: "not verified" };

/** The plan of a BondMachine firmware: its three files, and what their metadata says. */
export function planTriple(
  { header, metadata, files: triple }: LegacyTriple,
  request: PlanRequest,
): Plan {
  const { board, boardKind, sourceDigest, sha256, model } = request;
  if (plain(metadata.board) !== plain(board.id)) {
    throw fail(
      "FIRMWARE_MISMATCH",
      `The metadata of the firmware names the board ${metadata.board}, not ${board.id}.`,
      { field: "board", hint: "Choose the board that the firmware was made for." },
    );
  }
  requirePart({ header }, request);
  if (boardKind !== "physical") {
    throw fail(
      "FIRMWARE_UNSERVABLE",
      `No simulation comes with a BondMachine firmware, so no simulated ${board.name} can run it.`,
      { field: "board.kind", hint: `Deploy it on a real ${board.name}.` },
    );
  }
  const { n_inputs, n_outputs, predictor, flavor } = metadata;
  const report = {
    resources: [],
    notes: [`Made by ${predictor}${flavor ? `, spoken to as ${flavor}` : ""}.`],
  };
  const files = new Map<FileRole, { name: string; content: string | Uint8Array }>([
    ["bitstream", { name: "firmware.bit", content: triple.bit }],
    ["hardware-handoff", { name: "firmware.hwh", content: triple.hwh }],
    ["metadata", { name: "firmware.json", content: triple.json }],
    ["report", { name: "report.json", content: canonicalJson({ ...report, origin }) }],
  ]);
  const manifest: Manifest = {
    schemaVersion: 1,
    kind: "firmware",
    engine: "prebuilt",
    boardModel: board.id,
    part: board.part.id,
    // Its design names no plan: the file that was asked for stands for one.
    planDigest: model.digest,
    sourceDigest,
    platform: `bondmachine_${board.part.family}`,
    io: {
      inputs: [{ name: "input", datatype: "FP32", shape: [-1, n_inputs], size: n_inputs }],
      outputs: [
        {
          name: "output",
          datatype: "FP32",
          shape: [-1, n_outputs],
          size: n_outputs,
          activation: "none",
        },
      ],
    },
    maxBatchSize: 1,
    tools: {},
    files: filesOf(files, sha256),
  };
  const contents = new Map([...files].map(([role, { content }]) => [role, content]));
  return finishedPlan({ manifest, files: contents, origin, report }, request);
}

/** `alveou50` and `alveo-u50` are one board. */
const plain = (board: string): string => board.toLowerCase().replace(/[^a-z0-9]/g, "");
