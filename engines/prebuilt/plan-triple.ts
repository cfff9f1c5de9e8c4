import { firmwareNameSchema } from "@/lib/common/bond";
import type { ArtifactIo, Origin } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { showText } from "@/lib/common/text";
import type { Plan, PlanRequest } from "../engine";
import type { LegacyMetadata, LegacyTriple } from "../firmware";
import { unsignedPlan } from "./finished-plan";
import { requirePart, requireReal } from "./plan-bitstream";

const origin: Origin = { kind: "bondmachine", proof: "not verified" };

/** The plan of a BondMachine firmware: its three files, and what their metadata says. */
export function planTriple(
  { header, metadata, files: { bit, hwh, json } }: LegacyTriple,
  request: PlanRequest,
): Plan {
  const { board, model } = request;
  requireNamed(metadata, request);
  requirePart({ header }, request);
  requireReal("a BondMachine firmware", request);
  const { predictor, flavor } = metadata;
  const name = nameOf(request);
  return unsignedPlan(
    {
      // Its design names no plan: the file that was asked for stands for one.
      planDigest: model.digest,
      platform: `bondmachine_${board.part.family}`,
      io: ioOf(metadata),
      files: new Map([
        ["bitstream", { name: `${name}.bit`, content: bit }],
        ["hardware-handoff", { name: `${name}.hwh`, content: hwh }],
        ["metadata", { name: `${name}.json`, content: json }],
      ]),
      origin,
      report: {
        resources: [],
        notes: [`Made by ${predictor}${flavor ? `, spoken to as ${flavor}` : ""}.`],
      },
    },
    request,
  );
}

/** A board of the original system finds a firmware in its own store by this name. */
function nameOf({ sourceName = "" }: PlanRequest): string {
  return firmwareNameSchema.safeParse(sourceName).success ? sourceName : "firmware";
}

function requireNamed({ board: named }: LegacyMetadata, { board }: PlanRequest): void {
  if (plain(named) === plain(board.id)) return;
  throw fail(
    "FIRMWARE_MISMATCH",
    `The metadata of the firmware names the board ${showText(named)}, not ${board.id}.`,
    { field: "board", hint: "Choose the board that the firmware was made for." },
  );
}

/** `alveou50` and `alveo-u50` are one board. */
const plain = (board: string): string => board.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Its metadata counts inputs and outputs, and names none. */
function ioOf({ n_inputs, n_outputs }: LegacyMetadata): ArtifactIo {
  const tensor = (name: string, size: number) => ({
    name,
    datatype: "FP32",
    shape: [-1, size],
    size,
  });
  return {
    inputs: [tensor("input", n_inputs)],
    outputs: [
      { ...tensor("output", n_outputs), activation: "none" },
      { name: "class", datatype: "INT64", shape: [-1], size: 1, activation: "none" },
    ],
  };
}
